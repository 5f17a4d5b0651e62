/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: channels that close themselves, with any callable as a callback.
 */
#ifndef CAUCUS_CHANNEL_HPP
#define CAUCUS_CHANNEL_HPP

#include <caucus/callback.hpp>
#include <caucus/channel.h>
#include <caucus/error.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace caucus {

/**
 * What a channel calls; each may be empty. What a callback throws is thrown by the call on the
 * channel in which it ran, or by the next one if it ran in a thread of the library. Calls whose
 * result would be lost by that (recv, try_recv, try_cast, ask, allreduce, try_quiesce) leave it to
 * the next one, too; they throw what was thrown before them, and then do nothing.
 */
struct channel_callbacks {
    std::function<void(const caucus_delivery &)> deliver; /**< Takes messages. */
    /** Answers questions: writes answer_bytes bytes. */
    std::function<void(const caucus_delivery &, void *)> answer;
    /** Combines the second answer into the first. */
    std::function<void(void *, const void *)> combine;
};

/**
 * A channel (caucus_channel). Opening and closing are collective. The destructor closes it, unless
 * an exception is under way, which the other ranks may not have: the channel then stays open.
 *
 * @code
 * caucus::channel channel(comm, {[&](const caucus_delivery &message) { hear(message); }, {}, {}});
 * if (something_was_found)
 *     channel.cast(&found, sizeof found);
 * channel.poll();
 * @endcode
 */
class channel {
  public:
    /**
     * Opens a channel: caucus_channel_open.
     *
     * @param[in] comm      An intracommunicator.
     * @param[in] callbacks What it calls. Without deliver, messages are received by recv.
     * @param[in] options   Further options; context and the callbacks in it are not used.
     */
    explicit channel(MPI_Comm comm, channel_callbacks callbacks = {},
                     caucus_channel_options options = {})
        : state_(std::make_unique<state>()) {
        state_->callbacks = std::move(callbacks);
        options.context = state_.get();
        options.deliver = state_->callbacks.deliver ? deliver : nullptr;
        options.answer = state_->callbacks.answer ? answer : nullptr;
        options.combine = state_->callbacks.combine ? combine : nullptr;
        check(caucus_channel_open(comm, &options, &state_->channel));
    }

    /**
     * Takes a channel over.
     *
     * @param[in] other Is no channel afterwards: it can only be destroyed and assigned to.
     */
    channel(channel &&other) noexcept = default;

    /**
     * Closes the channel that is here, as the destructor does, and takes the other one over.
     *
     * @param[in] other Is no channel afterwards.
     * @return This object.
     */
    channel &operator=(channel &&other) noexcept {
        if (this != &other) {
            leave();
            state_ = std::move(other.state_);
        }
        return *this;
    }

    channel(const channel &) = delete;
    channel &operator=(const channel &) = delete;

    ~channel() {
        leave();
    }

    /**
     * Casts a message to all other ranks: caucus_cast.
     *
     * @param[in] bytes  The message.
     * @param[in] length Its length in bytes.
     */
    void cast(const void *bytes, std::size_t length) {
        finish(caucus_cast(get(), bytes, static_cast<MPI_Count>(length)));
    }

    /**
     * Casts text to all other ranks.
     *
     * @param[in] text The message.
     */
    void cast(std::string_view text) {
        cast(text.data(), text.size());
    }

    /**
     * Casts a message if there is room: caucus_try_cast.
     *
     * @param[in] bytes  The message.
     * @param[in] length Its length in bytes.
     * @return Whether it was cast.
     */
    bool try_cast(const void *bytes, std::size_t length) {
        int accepted = 0;
        begin();
        check(caucus_try_cast(get(), bytes, static_cast<MPI_Count>(length), &accepted));
        return accepted != 0;
    }

    /** Waits until all that this rank has cast was delivered: caucus_channel_flush. */
    void flush() {
        finish(caucus_channel_flush(get()));
    }

    /** Forwards messages of others, and delivers what has arrived: caucus_channel_poll. */
    void poll() {
        finish(caucus_channel_poll(get()));
    }

    /**
     * Waits for the next message, on a channel without deliver: caucus_channel_recv.
     *
     * @return The message; its bytes are valid until the next receive.
     */
    caucus_delivery recv() {
        caucus_delivery found;
        begin();
        check(caucus_channel_recv(get(), &found));
        return found;
    }

    /**
     * Receives the next message if there is one: caucus_channel_try_recv.
     *
     * @return The message, or nothing; its bytes are valid until the next receive.
     */
    std::optional<caucus_delivery> try_recv() {
        caucus_delivery found;
        int received = 0;
        begin();
        check(caucus_channel_try_recv(get(), &found, &received));
        return received ? std::optional<caucus_delivery>(found) : std::nullopt;
    }

    /**
     * Asks all ranks, and waits for their answers: caucus_channel_ask.
     *
     * @param[in] question   The question.
     * @param[in] length     Its length in bytes.
     * @param[in,out] answer This rank's own answer, replaced by the result.
     */
    void ask(const void *question, std::size_t length, void *answer) {
        begin();
        check(caucus_channel_ask(get(), question, static_cast<MPI_Count>(length), answer));
    }

    /**
     * Opens an allreduce, and waits for its result: caucus_channel_allreduce.
     *
     * @param[in] quorum     How many ranks must contribute, or CAUCUS_QUORUM_ALL and so on.
     * @param[in] question   The question.
     * @param[in] length     Its length in bytes.
     * @param[in,out] answer This rank's own contribution, replaced by the result.
     */
    void allreduce(int quorum, const void *question, std::size_t length, void *answer) {
        begin();
        check(caucus_channel_allreduce(get(), quorum, question, static_cast<MPI_Count>(length),
                                       answer));
    }

    /**
     * Answers a question that was received: caucus_channel_reply.
     *
     * @param[in] origin The rank that asked.
     * @param[in] answer The answer.
     */
    void reply(int origin, const void *answer) {
        finish(caucus_channel_reply(get(), origin, answer));
    }

    /** Waits until every message was delivered everywhere: caucus_channel_quiesce. Collective. */
    void quiesce() {
        finish(caucus_channel_quiesce(get()));
    }

    /**
     * Tells whether the channel is quiet on all ranks: caucus_channel_try_quiesce.
     *
     * @return Whether it is.
     */
    bool try_quiesce() {
        int quiet = 0;
        begin();
        check(caucus_channel_try_quiesce(get(), &quiet));
        return quiet != 0;
    }

    /**
     * What this rank has done on the channel: caucus_channel_statistics.
     *
     * @return The counters of this rank.
     */
    caucus_channel_counters statistics() const {
        caucus_channel_counters found;
        check(caucus_channel_statistics(get(), &found));
        return found;
    }

    /** Ends the thread of options.progress: caucus_channel_stop_progress. Local. */
    void stop_progress() {
        finish(caucus_channel_stop_progress(get()));
    }

    /** Closes the channel: caucus_channel_close. Collective. */
    void close() {
        finish(caucus_channel_close(&state_->channel));
    }

    /**
     * The handle, which stays with this object.
     *
     * @return A channel, or CAUCUS_CHANNEL_NULL after close.
     */
    caucus_channel get() const noexcept {
        return state_->channel;
    }

  private:
    /** What the library is told the address of. */
    struct state {
        channel_callbacks callbacks;
        detail::caught caught;
        caucus_channel channel = CAUCUS_CHANNEL_NULL;
        int exceptions = std::uncaught_exceptions();
        std::recursive_mutex guard; // a callback may call on the channel, which may call back
        bool is_left = false;

        template <class Call> void run(Call what) {
            std::lock_guard<std::recursive_mutex> lock(guard);
            if (!is_left)
                caught.call(what);
        }
    };

    static void deliver(void *context, const caucus_delivery *message) {
        state *own = static_cast<state *>(context);
        own->run([&] { own->callbacks.deliver(*message); });
    }

    static void answer(void *context, const caucus_delivery *question, void *bytes) {
        state *own = static_cast<state *>(context);
        own->run([&] { own->callbacks.answer(*question, bytes); });
    }

    static void combine(void *context, void *into, const void *from) {
        state *own = static_cast<state *>(context);
        own->run([&] { own->callbacks.combine(into, from); });
    }

    /** What stays open may still call back, in a thread of the library: but nothing of the user's.
     */
    void leave() noexcept {
        if (!state_ || state_->channel == CAUCUS_CHANNEL_NULL)
            return;
        if (std::uncaught_exceptions() <= state_->exceptions && !detail::is_over() &&
            caucus_channel_close(&state_->channel) == MPI_SUCCESS)
            return;
        if (!detail::is_over()) // its thread must not be within MPI when MPI_Finalize begins
            caucus_channel_stop_progress(state_->channel);
        std::lock_guard<std::recursive_mutex> lock(state_->guard);
        state_->is_left = true;
        static_cast<void>(state_.release());
    }

    /** Of calls that have a result: what callbacks have thrown comes before it. */
    void begin() {
        state_->caught.rethrow();
    }

    /** The end of all others: what callbacks have thrown comes before the code. */
    void finish(int code) {
        state_->caught.rethrow();
        check(code);
    }

    std::unique_ptr<state> state_;
};

} // namespace caucus

#endif
