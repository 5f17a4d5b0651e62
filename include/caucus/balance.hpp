/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: groups that help each other.
 */
#ifndef CAUCUS_BALANCE_HPP
#define CAUCUS_BALANCE_HPP

#include <caucus/balance.h>
#include <caucus/error.hpp>

namespace caucus {

/**
 * Groups of a communicator that help each other (caucus_balance). Opening and closing are
 * collective. The destructor closes it if a poll has reported CAUCUS_BALANCE_OVER.
 */
class balance {
  public:
    /** Which group this rank is in. */
    struct place {
        caucus_group group; /**< Belongs to the balance; until a poll reports the next one. */
        int source;         /**< The rank in it of a member that knows the state of the work. */
        int work;           /**< Which work the group does. */
    };

    /**
     * Divides the ranks of a communicator into groups: caucus_balance_open.
     *
     * @param[in] comm       An intracommunicator.
     * @param[in] group_size Number of ranks in a group.
     */
    balance(MPI_Comm comm, int group_size) {
        check(caucus_balance_open(comm, group_size, &balance_));
    }

    balance(const balance &) = delete;
    balance &operator=(const balance &) = delete;

    ~balance() {
        if (over_ && balance_ != CAUCUS_BALANCE_NULL && !detail::is_over())
            caucus_balance_close(&balance_);
    }

    /**
     * Tells which group this rank is in: caucus_balance_group.
     *
     * @return The group, a member that knows the state, and the number of the work.
     */
    place where() const {
        place found;
        check(caucus_balance_group(balance_, &found.group, &found.source, &found.work));
        return found;
    }

    /**
     * To be called once a step of the work: caucus_balance_poll.
     *
     * @param[in] busy Whether work is left.
     * @return CAUCUS_BALANCE_SAME, CAUCUS_BALANCE_GROWN or CAUCUS_BALANCE_OVER.
     */
    int poll(bool busy) {
        int news = CAUCUS_BALANCE_SAME;
        check(caucus_balance_poll(balance_, busy ? 1 : 0, &news));
        over_ = news == CAUCUS_BALANCE_OVER;
        return news;
    }

    /**
     * What this rank has done since the balance was opened: caucus_balance_statistics.
     *
     * @return The counters of this rank.
     */
    caucus_balance_counters statistics() const {
        caucus_balance_counters found;
        check(caucus_balance_statistics(balance_, &found));
        return found;
    }

    /** Closes the balance: caucus_balance_close. Collective. */
    void close() {
        check(caucus_balance_close(&balance_));
    }

    /**
     * The handle, which stays with this object.
     *
     * @return A balance, or CAUCUS_BALANCE_NULL after close.
     */
    caucus_balance get() const noexcept {
        return balance_;
    }

  private:
    caucus_balance balance_ = CAUCUS_BALANCE_NULL;
    bool over_ = false;
};

} // namespace caucus

#endif
