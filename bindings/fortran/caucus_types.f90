! SPDX-License-Identifier: BSD-3-Clause
!> Handles, constants, structures and callbacks of the module caucus: what caucus/caucus.h has of
!> them, with the same names and the same memory.
module caucus_types
    use, intrinsic :: iso_c_binding
    use mpi_f08, only: MPI_ADDRESS_KIND, MPI_COUNT_KIND
    implicit none
    private

    !> A nonblocking or persistent operation.
    type, bind(C), public :: caucus_request
        type(c_ptr) :: object = c_null_ptr !< What C has.
    end type

    !> A light group.
    type, bind(C), public :: caucus_group
        type(c_ptr) :: object = c_null_ptr !< What C has.
    end type

    !> A channel.
    type, bind(C), public :: caucus_channel
        type(c_ptr) :: object = c_null_ptr !< What C has.
    end type

    !> Groups that help each other.
    type, bind(C), public :: caucus_balance
        type(c_ptr) :: object = c_null_ptr !< What C has.
    end type

    !> A pool of ranks.
    type, bind(C), public :: caucus_pool
        type(c_ptr) :: object = c_null_ptr !< What C has.
    end type

    type(caucus_request), parameter, public :: CAUCUS_REQUEST_NULL = caucus_request(c_null_ptr)
    type(caucus_group), parameter, public :: CAUCUS_GROUP_NULL = caucus_group(c_null_ptr)
    type(caucus_channel), parameter, public :: CAUCUS_CHANNEL_NULL = caucus_channel(c_null_ptr)
    type(caucus_balance), parameter, public :: CAUCUS_BALANCE_NULL = caucus_balance(c_null_ptr)
    type(caucus_pool), parameter, public :: CAUCUS_POOL_NULL = caucus_pool(c_null_ptr)

    interface operator(==)
        module procedure requests_are_same, groups_are_same, channels_are_same
        module procedure balances_are_same, pools_are_same
    end interface
    interface operator(/=)
        module procedure requests_differ, groups_differ, channels_differ
        module procedure balances_differ, pools_differ
    end interface
    public :: operator(==), operator(/=)

    !> The version of this module; caucus_version() is that of the library.
    integer, parameter, public :: CAUCUS_VERSION_MAJOR = 0
    integer, parameter, public :: CAUCUS_VERSION_MINOR = 1
    integer, parameter, public :: CAUCUS_VERSION_PATCH = 0

    !> Tags of messages on groups are from 0 to CAUCUS_GROUP_TAGS - 1.
    integer, parameter, public :: CAUCUS_GROUP_TAGS = 16

    !> What caucus_balance_poll reports.
    integer, parameter, public :: CAUCUS_BALANCE_SAME = 0
    integer, parameter, public :: CAUCUS_BALANCE_GROWN = 1
    integer, parameter, public :: CAUCUS_BALANCE_OVER = 2

    !> In which order a channel delivers.
    integer(c_int), parameter, public :: CAUCUS_ORDER_FIFO = 0
    integer(c_int), parameter, public :: CAUCUS_ORDER_CAUSAL = 1
    integer(c_int), parameter, public :: CAUCUS_ORDER_TOTAL = 2

    !> How many ranks contribute to an allreduce of a channel, if not a number from 1.
    integer, parameter, public :: CAUCUS_QUORUM_ALL = 0
    integer, parameter, public :: CAUCUS_QUORUM_MAJORITY = -1
    integer, parameter, public :: CAUCUS_QUORUM_SOLO = -2

    !> The global indices first, first + 1, ..., first + count - 1 of a distributed field.
    type, bind(C), public :: caucus_index_range
        integer(c_int64_t) :: first
        integer(c_int64_t) :: count
    end type

    !> Traffic along the edges of a grid or graph in one exchange with all neighbours.
    type, bind(C), public :: caucus_cart_traffic
        real(c_double) :: off_node = 0
        real(c_double) :: off_node_worst = 0
        real(c_double) :: all = 0
        integer(c_int) :: on_min = 0
        integer(c_int) :: on_max = 0
        integer(c_int) :: off_min = 0
        integer(c_int) :: off_max = 0
        real(c_double) :: on_mean = 0
        real(c_double) :: off_mean = 0
    end type

    !> What reordering did.
    type, public :: caucus_cart_report_data
        integer :: nodes = 0
        character(len=32) :: mapper = ''
        real(c_double) :: bound = 0
        type(caucus_cart_traffic) :: given
        type(caucus_cart_traffic) :: placed
        logical :: rank0_kept = .false.
        real(c_double) :: rank0_cost = 0
    end type

    !> The same as C has it.
    type, bind(C), public :: caucus_f_cart_report_data
        integer(c_int) :: nodes = 0
        character(kind=c_char) :: mapper(32) = c_null_char
        real(c_double) :: bound = 0
        type(caucus_cart_traffic) :: given
        type(caucus_cart_traffic) :: placed
        integer(c_int) :: rank0_kept = 0
        real(c_double) :: rank0_cost = 0
    end type

    !> What one rank has done on a balance.
    type, bind(C), public :: caucus_balance_counters
        integer(MPI_COUNT_KIND) :: polls = 0
        integer(MPI_COUNT_KIND) :: regroupings = 0
        integer(MPI_COUNT_KIND) :: requests = 0
        integer(MPI_COUNT_KIND) :: messages = 0
        real(c_double) :: waited = 0
    end type

    !> How a pool is opened. body is c_funloc of a function as caucus_pool_body.
    type, bind(C), public :: caucus_pool_options
        type(c_funptr) :: body = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
        integer(c_int) :: task_bytes = 0
        integer(c_int) :: passes = 0
    end type

    !> What one rank has done in a pool.
    type, bind(C), public :: caucus_pool_counters
        integer(MPI_COUNT_KIND) :: tasks = 0
        integer(MPI_COUNT_KIND) :: messages = 0
        real(c_double) :: waited = 0
    end type

    !> A message that was delivered, or a piece of one; c_f_pointer makes an array of bytes.
    type, bind(C), public :: caucus_delivery
        integer(c_int) :: origin = 0
        type(c_ptr) :: bytes = c_null_ptr
        integer(MPI_COUNT_KIND) :: length = 0
        integer(MPI_COUNT_KIND) :: offset = 0
        integer(MPI_COUNT_KIND) :: total = 0
        integer(c_int) :: asks = 0
        integer(c_int) :: outcome = 0
        integer(c_int) :: included = 0
        integer(c_int) :: contributions = 0
        integer(MPI_COUNT_KIND) :: number = 0
    end type

    !> How a channel is opened. Callbacks are c_funloc of subroutines as caucus_deliver_function,
    !> caucus_answer_function and caucus_combine_function.
    type, bind(C), public :: caucus_channel_options
        type(c_funptr) :: deliver = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
        integer(c_int) :: order = CAUCUS_ORDER_FIFO
        integer(c_int) :: credits = 0
        integer(MPI_COUNT_KIND) :: segment = 0
        integer(MPI_COUNT_KIND) :: memory = 0
        integer(MPI_COUNT_KIND) :: inbox = 0
        integer(c_int) :: progress = 0
        type(c_funptr) :: answer = c_null_funptr
        type(c_funptr) :: combine = c_null_funptr
        integer(MPI_COUNT_KIND) :: answer_bytes = 0
        integer(c_int) :: survives = 0
        integer(MPI_COUNT_KIND) :: keeps = 0
    end type

    !> What one rank has done on a channel.
    type, bind(C), public :: caucus_channel_counters
        integer(MPI_COUNT_KIND) :: casts = 0
        integer(MPI_COUNT_KIND) :: cast_bytes = 0
        integer(MPI_COUNT_KIND) :: deliveries = 0
        integer(MPI_COUNT_KIND) :: delivered_bytes = 0
        integer(MPI_COUNT_KIND) :: sends = 0
        integer(MPI_COUNT_KIND) :: sent_bytes = 0
        integer(MPI_COUNT_KIND) :: forwards = 0
        integer(MPI_COUNT_KIND) :: controls = 0
        integer(MPI_COUNT_KIND) :: refusals = 0
        integer(MPI_COUNT_KIND) :: stalls = 0
        real(c_double) :: stalled_seconds = 0
        integer(MPI_COUNT_KIND) :: hops = 0
        integer(MPI_COUNT_KIND) :: longest_path = 0
        integer(MPI_COUNT_KIND) :: peak_held = 0
        integer(MPI_COUNT_KIND) :: peak_sends = 0
        integer(MPI_COUNT_KIND) :: peak_inbox = 0
    end type

    abstract interface
        !> Takes a message of a channel.
        subroutine caucus_deliver_function(context, delivery) bind(C)
            import
            type(c_ptr), value :: context
            type(caucus_delivery), intent(in) :: delivery
        end subroutine

        !> Answers a question: answer points at answer_bytes bytes, all zero.
        subroutine caucus_answer_function(context, question, answer) bind(C)
            import
            type(c_ptr), value :: context
            type(caucus_delivery), intent(in) :: question
            type(c_ptr), value :: answer
        end subroutine

        !> Combines two answers into the first one.
        subroutine caucus_combine_function(context, into, from) bind(C)
            import
            type(c_ptr), value :: context
            type(c_ptr), value :: into
            type(c_ptr), value :: from
        end subroutine

        !> Runs a task of a pool, on each rank of the task's group; 0 if it went well.
        function caucus_pool_body(context, pool, group, task) bind(C) result(failed)
            import
            type(c_ptr), value :: context
            type(caucus_pool), value :: pool
            type(caucus_group), value :: group
            type(c_ptr), value :: task
            integer(c_int) :: failed
        end function
    end interface
    public :: caucus_deliver_function, caucus_answer_function, caucus_combine_function
    public :: caucus_pool_body

contains

    elemental logical function is_same(a, b)
        type(c_ptr), intent(in) :: a, b
        is_same = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
    end function

    elemental logical function requests_are_same(a, b)
        type(caucus_request), intent(in) :: a, b
        requests_are_same = is_same(a%object, b%object)
    end function

    elemental logical function requests_differ(a, b)
        type(caucus_request), intent(in) :: a, b
        requests_differ = .not. is_same(a%object, b%object)
    end function

    elemental logical function groups_are_same(a, b)
        type(caucus_group), intent(in) :: a, b
        groups_are_same = is_same(a%object, b%object)
    end function

    elemental logical function groups_differ(a, b)
        type(caucus_group), intent(in) :: a, b
        groups_differ = .not. is_same(a%object, b%object)
    end function

    elemental logical function channels_are_same(a, b)
        type(caucus_channel), intent(in) :: a, b
        channels_are_same = is_same(a%object, b%object)
    end function

    elemental logical function channels_differ(a, b)
        type(caucus_channel), intent(in) :: a, b
        channels_differ = .not. is_same(a%object, b%object)
    end function

    elemental logical function balances_are_same(a, b)
        type(caucus_balance), intent(in) :: a, b
        balances_are_same = is_same(a%object, b%object)
    end function

    elemental logical function balances_differ(a, b)
        type(caucus_balance), intent(in) :: a, b
        balances_differ = .not. is_same(a%object, b%object)
    end function

    elemental logical function pools_are_same(a, b)
        type(caucus_pool), intent(in) :: a, b
        pools_are_same = is_same(a%object, b%object)
    end function

    elemental logical function pools_differ(a, b)
        type(caucus_pool), intent(in) :: a, b
        pools_differ = .not. is_same(a%object, b%object)
    end function

end module
