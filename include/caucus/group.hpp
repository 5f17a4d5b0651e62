/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: light groups that free themselves.
 */
#ifndef CAUCUS_GROUP_HPP
#define CAUCUS_GROUP_HPP

#include <caucus/alive.h>
#include <caucus/comm.hpp>
#include <caucus/error.hpp>
#include <caucus/group.h>
#include <caucus/group_comm.h>
#include <caucus/request.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace caucus {

/**
 * A light group (caucus_group), freed by the destructor. On a rank that is no member of what it has
 * made, it is no group.
 *
 * @code
 * caucus::attach(comm);
 * if (rank < 3) {
 *     caucus::group group = caucus::make_group(caucus_group_create, comm, members, 3, tag);
 *     caucus::call(caucus_group_allreduce, in, out, n, MPI_DOUBLE, MPI_SUM, group.get());
 * }
 * @endcode
 */
class group {
  public:
    /** No group. */
    group() noexcept = default;

    /**
     * Takes a group over.
     *
     * @param[in] taken A group, which now belongs to this object.
     */
    explicit group(caucus_group taken) noexcept : group_(taken) {}

    /**
     * Takes a group over.
     *
     * @param[in] other Is no group afterwards.
     */
    group(group &&other) noexcept : group_(other.release()) {}

    /**
     * Takes a group over, after the own one is freed.
     *
     * @param[in] other Is no group afterwards.
     * @return This object.
     */
    group &operator=(group &&other) noexcept {
        if (this != &other) {
            finish();
            group_ = other.release();
        }
        return *this;
    }

    group(const group &) = delete;
    group &operator=(const group &) = delete;

    ~group() {
        finish();
    }

    /**
     * The rank of this process in the group.
     *
     * @return From 0 to the size minus 1.
     */
    int rank() const {
        int found = 0;
        check(caucus_group_rank(group_, &found));
        return found;
    }

    /**
     * How many members the group has.
     *
     * @return At least 1.
     */
    int size() const {
        int found = 0;
        check(caucus_group_size(group_, &found));
        return found;
    }

    /**
     * Which ranks of the parent communicator the members are.
     *
     * @return An entry for each member.
     */
    std::vector<int> members() const {
        std::vector<int> found(static_cast<std::size_t>(size()));
        check(caucus_group_members(group_, found.data()));
        return found;
    }

    /**
     * Makes a communicator of the members: caucus_group_to_comm.
     *
     * @return The communicator.
     */
    communicator to_comm() const {
        communicator made;
        check(caucus_group_to_comm(group_, made.place()));
        return made;
    }

    /**
     * Whether there is a group.
     *
     * @return False for no group.
     */
    explicit operator bool() const noexcept {
        return group_ != CAUCUS_GROUP_NULL;
    }

    /**
     * The handle, which stays with this object.
     *
     * @return A group, or CAUCUS_GROUP_NULL.
     */
    caucus_group get() const noexcept {
        return group_;
    }

    /**
     * Gives the group away.
     *
     * @return A group that belongs to the caller, or CAUCUS_GROUP_NULL.
     */
    caucus_group release() noexcept {
        return std::exchange(group_, CAUCUS_GROUP_NULL);
    }

    /**
     * Where the handle lies, for functions of C that make groups. What was there must have been
     * released.
     *
     * @return Its place in this object.
     */
    caucus_group *place() noexcept {
        return &group_;
    }

  private:
    void finish() noexcept {
        if (group_ != CAUCUS_GROUP_NULL && !detail::is_over())
            caucus_group_free(&group_);
    }

    caucus_group group_ = CAUCUS_GROUP_NULL;
};

/**
 * Makes a group by any function of Caucus whose last parameter is the new group:
 * caucus_group_create and its kin, caucus_group_split, caucus_group_merge, caucus_group_take.
 *
 * @param[in] function  The function.
 * @param[in] arguments Its arguments, without the new group.
 * @return The group; no group on a rank that is not a member.
 */
template <class... Parameters, class... Arguments>
group make_group(int (*function)(Parameters...), Arguments &&...arguments) {
    group made;
    check(function(std::forward<Arguments>(arguments)..., made.place()));
    return made;
}

/**
 * A group that is being made. The destructor waits for it, as that of a request does. To wait for
 * several, each is tested or gotten: its request cannot be taken out, since the library writes to a
 * place in this object until it is complete.
 */
class pending_group {
  public:
    /** Nothing is being made. */
    pending_group() = default;

    /**
     * Takes over what is being made.
     *
     * @param[in] other Makes nothing afterwards.
     */
    pending_group(pending_group &&other) noexcept = default;

    /**
     * Waits for what is being made here, and takes over what the other one makes.
     *
     * @param[in] other Makes nothing afterwards.
     * @return This object.
     */
    pending_group &operator=(pending_group &&other) noexcept {
        request_ = std::move(other.request_); // waits first: the library still writes to made_
        made_ = std::move(other.made_);
        return *this;
    }

    /**
     * Tells whether it is made, without waiting.
     *
     * @return Whether it is.
     */
    bool test() {
        return request_.test();
    }

    /**
     * Waits until it is made.
     *
     * @return The group; no group on a rank that is not a member, and at a second call.
     */
    group get() {
        request_.wait();
        return made_ ? std::move(*made_) : group();
    }

  private:
    template <class... Parameters, class... Arguments>
    friend pending_group make_pending_group(int (*function)(Parameters...),
                                            Arguments &&...arguments);

    std::unique_ptr<group> made_ = std::make_unique<group>(); // does not move while it is pending
    caucus::request request_;                                 // is destroyed, and so waits, first
};

/**
 * Begins to make a group by any function of Caucus whose last parameters are the new group and the
 * request: caucus_group_icreate, caucus_group_isplit, caucus_group_imerge and so on.
 *
 * @param[in] function  The function.
 * @param[in] arguments Its arguments, without the last two.
 * @return What becomes the group.
 */
template <class... Parameters, class... Arguments>
pending_group make_pending_group(int (*function)(Parameters...), Arguments &&...arguments) {
    pending_group made;
    check(function(std::forward<Arguments>(arguments)..., made.made_->place(),
                   made.request_.place()));
    return made;
}

} // namespace caucus

#endif
