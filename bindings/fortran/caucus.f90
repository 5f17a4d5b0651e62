! SPDX-License-Identifier: BSD-3-Clause
!> The library's own functions for programs in Fortran that use mpi_f08: what caucus/caucus.h has,
!> under the same names. docs/fortran.md is the guide.
module caucus
    use, intrinsic :: iso_c_binding, only: c_char, c_null_char, c_f_pointer, c_ptr, c_size_t
    use mpi_f08, only: MPI_Comm
    use caucus_types, hidden => caucus_f_cart_report_data
    use caucus_functions
    use caucus_reports
    implicit none
    private :: c_char, c_null_char, c_f_pointer, c_ptr, c_size_t, MPI_Comm, hidden, text_of

    interface
        function caucus_f_error_text() bind(C, name='caucus_error_text') result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function

        function caucus_f_version() bind(C, name='caucus_version') result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function

        pure function caucus_f_length(text) bind(C, name='strlen') result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
    end interface
    private :: caucus_f_error_text, caucus_f_version, caucus_f_length

contains

    !> What went wrong in the call of this thread that failed last; '' if none has.
    function caucus_error_text() result(text)
        character(len=:), allocatable :: text
        text = text_of(caucus_f_error_text())
    end function

    !> The version of the library that the program runs with, such as 0.1.0.
    function caucus_version() result(text)
        character(len=:), allocatable :: text
        text = text_of(caucus_f_version())
    end function

    function text_of(pointer) result(text)
        type(c_ptr), intent(in) :: pointer
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: characters(:)
        integer :: i
        call c_f_pointer(pointer, characters, [caucus_f_length(pointer)])
        allocate (character(len=size(characters)) :: text)
        do i = 1, size(characters)
            text(i:i) = characters(i)
        end do
    end function

end module
