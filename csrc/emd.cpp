// The assignment of two clouds of n points by auction: every point of the first bids for a point of the second.
//
// Bertsekas' auction in its Gauss-Seidel form (one bid at a time, at prices that are always current) with epsilon
// scaling: prices found with a coarse increment are where the next, finer phase starts. A bid looks for the lowest
// distance + price, which is the highest 3 - distance - price, in a tree, not in a row of n distances. A cloud is
// one thread's work from its first bid to its last, so the number of threads cannot change the result.

#include <numeric>

#include "cost_tree.h"
#include "threads.h"

namespace {

constexpr float kFirstIncrement = 0.1f;      // of the first phase; coordinates lie in a cube of side 1
constexpr float kIncrementRatio = 0.2f;      // of one phase to the one before
constexpr float kEnough = 0.01f;             // of the mean distance: an increment that need not be lowered further
constexpr float kFinestIncrement = 2e-6f;    // below this, adding to a price near 1 rounds to nothing
constexpr int kNobody = -1;

class Auction {
  public:
    Auction(const float* bidders, const float* objects, int n)
        : bidders_(bidders), n_(n), tree_(objects, n), slot_(n, kNobody), owner_(tree_.num_slots(), kNobody) {}

    // After a phase in which everybody found a place, the mean distance is above the optimum by at most the phase's
    // increment. Phases go on until that is at most `eps` and 1 % of the mean distance, or `num_bids` are spent; then
    // the better of the last whole assignment and the present one, its gaps filled, is the result.
    void run(float eps, int64_t num_bids, int32_t* assignment) {  // [n], index of the object of each bidder
        std::vector<int> best;
        double best_total = std::numeric_limits<double>::infinity();
        for (float increment = std::max(kFirstIncrement, eps);;) {
            const bool whole = phase(increment, num_bids);
            if (!whole) fill_gaps();
            const double total = total_distance();
            if (best.empty() || total < best_total) best = slot_, best_total = total;
            const float fine = std::max(kFinestIncrement, std::min(eps, kEnough * static_cast<float>(total / n_)));
            if (!whole || increment <= fine || total == 0) break;
            increment = std::max(increment * kIncrementRatio, fine);
        }
        for (int i = 0; i < n_; ++i) assignment[i] = tree_.point(best[i]);
    }

  private:
    const float* bidder(int i) const { return bidders_ + 3 * i; }

    // Everybody starts without a place, at the prices of the phase before. False: the bids ran out.
    bool phase(float increment, int64_t& num_bids) {
        std::fill(slot_.begin(), slot_.end(), kNobody);
        std::fill(owner_.begin(), owner_.end(), kNobody);
        std::vector<int> waiting(n_), outbid;
        std::iota(waiting.begin(), waiting.end(), 0);
        while (!waiting.empty()) {
            outbid.clear();
            for (const int i : waiting) {
                if (num_bids-- <= 0) return false;
                const CostTree::Found found = tree_.best_two(bidder(i));
                const float lead = n_ > 1 ? found.second - found.best : 0.0f;
                const int loser = owner_[found.slot];
                if (loser != kNobody) slot_[loser] = kNobody, outbid.push_back(loser);
                owner_[found.slot] = i;
                slot_[i] = found.slot;
                tree_.set_price(found.slot, tree_.price(found.slot) + lead + increment);
            }
            waiting.swap(outbid);
        }
        return true;
    }

    // Whoever has no place takes the nearest free one, in turn. Prices are spent by this.
    void fill_gaps() {
        for (int slot = 0; slot < tree_.num_slots(); ++slot) {
            const bool is_free = tree_.point(slot) >= 0 && owner_[slot] == kNobody;
            tree_.set_price(slot, is_free ? 0.0f : CostTree::kNever);
        }
        for (int i = 0; i < n_; ++i) {
            if (slot_[i] != kNobody) continue;
            slot_[i] = tree_.best(bidder(i));
            tree_.set_price(slot_[i], CostTree::kNever);
        }
    }

    double total_distance() const {
        double total = 0;
        for (int i = 0; i < n_; ++i) total += tree_.distance(slot_[i], bidder(i));
        return total;
    }

    const float* bidders_;
    int n_;
    CostTree tree_;
    std::vector<int> slot_;   // of each bidder: the place it holds
    std::vector<int> owner_;  // of each slot: who holds it
};

}  // namespace

extern "C" void emd_assign(
    const float* bidders,  // [num_clouds, n, 3], finite, in a cube of side 1
    const float* objects,  // [num_clouds, n, 3]
    int64_t num_clouds, int64_t n, double eps, int64_t num_bids,  // per cloud
    int32_t* assignment,  // [num_clouds, n]
    int64_t num_threads) {
    if (n == 0) return;
    parallel_for(num_clouds, static_cast<int>(num_threads), [&](int64_t cloud, int) {
        Auction(bidders + 3 * n * cloud, objects + 3 * n * cloud, static_cast<int>(n))
            .run(static_cast<float>(eps), num_bids, assignment + n * cloud);
    });
}
