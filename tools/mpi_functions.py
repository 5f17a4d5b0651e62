# SPDX-License-Identifier: BSD-3-Clause
"""Every function of mpi.h, by what the drop-in does so that it holds no collective of ours up.

While one is active, others may wait for what this process is to pass on, so that no call may wait
within MPI for something that they do only afterwards. A function is in one of these tables:

    MEETS       collective: all of its ranks come together first, while ours move on
    MESSAGES    made as their nonblocking form, which is waited for while ours move on
    FLUSHES     made as the nonblocking flush of buffers, likewise
    WAITS       made by its test, again and again, while ours move on
    POLLS       waits for nobody, but a program may call it until it says yes: ours move on
    DUPLICATES  nonblocking, but what other calls do until they are complete depends on them
    HELPED      may wait, and can't be made otherwise: ours move on before, and by a thread where
                MPI has MPI_THREAD_MULTIPLE
    WRITTEN     by hand in the file of src/dropin that is named; collectives are in
                tools/generate_collectives.py
    LEFT        to MPI, for the reason that is given; patterns are as in a shell

Where a table has parameters, tools/generate_passages.py writes the function; those with MPI_Count,
which end in _c, are as those without. tests/python/test_mpi_functions.py reads mpi.h.
"""

from fnmatch import fnmatchcase

from generate_collectives import COLLECTIVES, versions

# It is collective over comm, window, file or groups; "_at" is a pointer to the handle. newcomm is
# what is made of comm, other_world where that may have processes of other worlds.
MEETS = """
MPI_Comm_dup                    comm newcomm
MPI_Comm_dup_with_info          comm info newcomm
MPI_Comm_create                 comm group newcomm
MPI_Comm_split                  comm color key newcomm
MPI_Comm_split_type             comm split_type key info newcomm
MPI_Cart_sub                    comm remain_dims newcomm
MPI_Intercomm_merge             comm high newcomm
MPI_Comm_accept                 port_name info root comm other_world
MPI_Comm_connect                port_name info root comm other_world
MPI_Comm_spawn                  command argv maxprocs info root comm other_world errcodes
MPI_Comm_spawn_multiple         count commands argvs maxprocs infos root comm other_world errcodes
MPI_Comm_disconnect             comm_at
MPI_Comm_set_info               comm info
MPI_Comm_create_from_group      group stringtag info errhandler newcomm
MPI_Intercomm_create_from_groups local_group local_leader remote_group remote_leader stringtag
                                info errhandler newcomm
MPI_Win_create                  base size disp_unit info comm newwin
MPI_Win_allocate                size disp_unit info comm baseptr newwin
MPI_Win_allocate_shared         size disp_unit info comm baseptr newwin
MPI_Win_create_dynamic          info comm newwin
MPI_Win_fence                   assert window
MPI_Win_free                    window_at
MPI_Win_set_info                window info
MPI_File_open                   comm filename amode info newfile
MPI_File_close                  file_at
MPI_File_set_view               file disp etype filetype datarep info
MPI_File_set_size               file size
MPI_File_set_info               file info
MPI_File_set_atomicity          file flag
MPI_File_preallocate            file size
MPI_File_sync                   file
MPI_File_seek_shared            file offset whence
MPI_File_read_all               file buf count datatype status
MPI_File_write_all              file buf count datatype status
MPI_File_read_at_all            file offset buf count datatype status
MPI_File_write_at_all           file offset buf count datatype status
MPI_File_read_ordered           file buf count datatype status
MPI_File_write_ordered          file buf count datatype status
MPI_File_read_all_begin         file buf count datatype
MPI_File_write_all_begin        file buf count datatype
MPI_File_read_at_all_begin      file offset buf count datatype
MPI_File_write_at_all_begin     file offset buf count datatype
MPI_File_read_ordered_begin     file buf count datatype
MPI_File_write_ordered_begin    file buf count datatype
MPI_File_read_all_end           file buf status
MPI_File_write_all_end          file buf status
MPI_File_read_at_all_end        file buf status
MPI_File_write_at_all_end       file buf status
MPI_File_read_ordered_end       file buf status
MPI_File_write_ordered_end      file buf status
"""

# Behind the bar: the nonblocking form. What has a status receives.
MESSAGES = """
MPI_Send   buffer count type destination tag comm | MPI_Isend
MPI_Ssend  buffer count type destination tag comm | MPI_Issend
MPI_Rsend  buffer count type destination tag comm | MPI_Irsend
MPI_Recv   buffer count type source tag comm status | MPI_Irecv
MPI_Mrecv  buffer count type message status | MPI_Imrecv
"""

DUPLICATES = """
MPI_Comm_idup            comm newcomm request
MPI_Comm_idup_with_info  comm info newcomm request
"""

# Behind the bar: the nonblocking flush and what it is given. Detaching waits likewise.
FLUSHES = """
MPI_Buffer_flush          | MPI_Buffer_iflush
MPI_Buffer_detach         buffer_addr size | MPI_Buffer_iflush
MPI_Comm_flush_buffer     comm | MPI_Comm_iflush_buffer comm
MPI_Comm_detach_buffer    comm buffer_addr size | MPI_Comm_iflush_buffer comm
MPI_Session_flush_buffer  session | MPI_Session_iflush_buffer session
MPI_Session_detach_buffer session buffer_addr size | MPI_Session_iflush_buffer session
"""

# Behind the bar: the test and what it is given, its flag among that.
WAITS = """
MPI_Win_wait  window | MPI_Win_test window flag
MPI_Probe     source tag comm status | MPI_Iprobe source tag comm flag status
MPI_Mprobe    source tag comm message status | MPI_Improbe source tag comm flag message status
"""

POLLS = """
MPI_Iprobe    source tag comm flag status
MPI_Improbe   source tag comm flag message status
MPI_Parrived  request partition flag
MPI_Win_test  window flag
MPI_Win_sync  window
"""

# For the target's MPI_Win_post, for whoever holds the lock, for who joins.
HELPED = """
MPI_Win_start            group assert window
MPI_Win_complete         window
MPI_Win_lock             lock_type rank assert window
MPI_Win_lock_all         assert window
MPI_Win_unlock           rank window
MPI_Win_unlock_all       window
MPI_Win_flush            rank window
MPI_Win_flush_all        window
MPI_Win_flush_local      rank window
MPI_Win_flush_local_all  window
MPI_Comm_join            fd intercomm
"""

WRITTEN = {
    "entry.c": "MPI_Init MPI_Init_thread MPI_Finalize MPI_Cart_create MPI_Cart_map MPI_Dims_create "
    "MPI_Session_init",
    "entry_comm.c": "MPI_Comm_create_group MPI_Intercomm_create",
    "entry_graphs.c": "MPI_Graph_create MPI_Dist_graph_create MPI_Dist_graph_create_adjacent",
    "entry_messages.c": "MPI_Sendrecv MPI_Sendrecv_replace",
    "entry_requests.c": "MPI_Start MPI_Startall MPI_Wait MPI_Waitall MPI_Waitany MPI_Waitsome "
    "MPI_Test MPI_Testall MPI_Testany MPI_Testsome MPI_Request_get_status MPI_Request_free "
    "MPI_Cancel MPI_Op_free",
    "entry_peek.c": "MPI_Request_get_status_all MPI_Request_get_status_any "
    "MPI_Request_get_status_some",
}

LEFT = {
    "local by the standard": """
        MPI_Abi_* MPI_Add_error_* MPI_Remove_error_* MPI_Error_* MPI_Errhandler_* MPI_*_errhandler
        MPI_Group_* MPI_Info_* MPI_Type_* MPI_Op_create MPI_Op_commutative MPI_Status_* MPI_*_c2f
        MPI_*_f2c MPI_*_fromint MPI_*_toint MPI_*_keyval MPI_*_attr MPI_Attr_* MPI_Keyval_*
        MPI_Address MPI_Aint_add MPI_Aint_diff MPI_Get_address MPI_Get_count MPI_Get_elements*
        MPI_Get_hw_resource_info MPI_Get_library_version MPI_Get_processor_name MPI_Get_version
        MPI_Alloc_mem MPI_Free_mem MPI_Pack* MPI_Unpack* MPI_Reduce_local MPI_Pcontrol MPI_Wtick
        MPI_Wtime MPI_Initialized MPI_Finalized MPI_Is_thread_main MPI_Query_thread
        MPI_Test_cancelled MPI_Grequest_* MPI_Topo_test MPI_Cart_coords MPI_Cart_get MPI_Cart_rank
        MPI_Cart_shift MPI_Cartdim_get MPI_Dist_graph_neighbors* MPI_Graph_get MPI_Graph_map
        MPI_Graph_neighbors* MPI_Graphdims_get MPI_Comm_compare MPI_Comm_get_* MPI_Comm_group
        MPI_Comm_rank MPI_Comm_remote_group MPI_Comm_remote_size MPI_Comm_set_name MPI_Comm_size
        MPI_Comm_test_inter MPI_Win_attach MPI_Win_detach MPI_Win_get_* MPI_Win_set_name
        MPI_Win_shared_query MPI_File_get_* MPI_File_seek MPI_Register_datarep MPI_Session_get_*
        MPI_Session_set_info MPI_Buffer_attach MPI_Comm_attach_buffer MPI_Session_attach_buffer
        """,
    "nonblocking: who waits for it calls one of the others": """
        MPI_Isend MPI_Ibsend MPI_Irsend MPI_Issend MPI_Irecv MPI_Imrecv MPI_Isendrecv*
        MPI_*_iflush* MPI_Send_init MPI_Bsend_init MPI_Rsend_init MPI_Ssend_init MPI_Recv_init
        MPI_Psend_init MPI_Precv_init MPI_Pready* MPI_Put MPI_Get MPI_Accumulate
        MPI_Get_accumulate MPI_Fetch_and_op MPI_Compare_and_swap MPI_Rput MPI_Rget MPI_Raccumulate
        MPI_Rget_accumulate MPI_File_iread* MPI_File_iwrite* MPI_Win_post
        """,
    "takes the message into a buffer and waits for nobody": "MPI_Bsend",
    "of this process alone: it waits for a disk, not for a rank": """
        MPI_File_read MPI_File_write MPI_File_read_at MPI_File_write_at MPI_File_read_shared
        MPI_File_write_shared MPI_File_delete
        """,
    "by the standard collective, but no MPI waits in it; programs free in any order": """
        MPI_Comm_free
        """,
    "waits for a name server, not for a rank": """
        MPI_Open_port MPI_Close_port MPI_Publish_name MPI_Unpublish_name MPI_Lookup_name
        """,
    "the end, or a world of its own, in which nothing of ours is active": """
        MPI_Abort MPI_Session_finalize
        """,
    "of one MPI: failures, after which ours end with an error, or streams, threads as ranks, and "
    "notified windows, on which nothing is taken over": "MPIX_*",
}


def lines_of(table):
    """Each line, with those that go on from it."""
    joined = table.replace("\n ", " ")
    return [line.split() for line in joined.splitlines() if line.strip()]


def parameters(table, names):
    """{name: parameters} of those of a table that are among names, with their _c."""
    found = {}
    for name, *words in lines_of(table):
        found.update({full: words for full in (name, f"{name}_c") if full in names})
    return found


def mpi_name(name, form, large):
    """MPI's name of a collective."""
    word = f"i{name}" if form == "nonblocking" else name
    word += "_init" if form == "persistent" else ""
    return f"MPI_{word[0].upper()}{word[1:]}{'_c' if large else ''}"


def is_listed(name, words):
    return name in words or (name.endswith("_c") and name[:-2] in words)


def is_left(name):
    patterns = [pattern for text in LEFT.values() for pattern in text.split()]
    plain = name[:-2] if name.endswith("_c") else name
    return any(fnmatchcase(plain, pattern) for pattern in patterns)


def places(name):
    """The tables that a function is in: it should be one."""
    found = [mpi_name(of, *version) for of in COLLECTIVES for version in versions(of)]
    tables = {"collectives": found}
    for table in ("MEETS", "MESSAGES", "FLUSHES", "WAITS", "POLLS", "DUPLICATES", "HELPED"):
        tables[table] = [words[0] for words in lines_of(globals()[table])]
    tables.update({file: text.split() for file, text in WRITTEN.items()})
    exactly = [table for table, words in tables.items() if name in words]
    where = exactly or [table for table, words in tables.items() if is_listed(name, words)]
    return where or (["LEFT"] if is_left(name) else [])
