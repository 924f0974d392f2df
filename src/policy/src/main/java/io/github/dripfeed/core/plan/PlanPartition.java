// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One node partition as one queue sees it while a plan is made. Used by one thread. */
public final class PlanPartition {

  /** Memory and cores, which every container has. */
  private static final int ALWAYS_REQUESTED = 2;

  private final List<Account> accounts;
  private final List<Account> shareable;
  private final ResourceVector guaranteed;
  private final ResourceSum used;
  private final ResourceVector usedBefore;

  /**
   * @param accounts what the queue, its parents and the nodes leave
   * @param shareable what the nodes of other partitions leave that YARN lends to requests for this one
   * @param guaranteed the guaranteed capacity of the queue
   * @param used what the queue uses
   * @param drivers the part of it that drivers hold, which count in the sixth
   */
  public PlanPartition(List<Account> accounts, List<Account> shareable, ResourceVector guaranteed,
      ResourceVector used, ResourceVector drivers) {
    this.accounts = accounts;
    this.shareable = shareable;
    this.guaranteed = guaranteed;
    this.used = new ResourceSum(used);
    this.usedBefore = used;
    accounts.forEach(account -> account.addQueue(used, drivers));
  }

  /** A driver of the user cannot be taken back: room for executors stays free. */
  void keepReserve(Account user) {
    reserves(user).forEach(Reserve::keep);
  }

  /** @param everywhere whether also where no driver has room kept yet */
  boolean keepsReserve(Account user, ResourceVector driver, boolean everywhere) {
    return reserves(user)
        .allMatch(reserve -> !everywhere && !reserve.isKept() || reserve.keepsBeside(driver));
  }

  private Stream<Reserve> reserves(Account user) {
    return Stream.concat(accounts.stream(), Stream.of(user)).map(Account::reserve);
  }

  /** The usage, with what was granted and claimed so far, in proportion to the guaranteed capacity. */
  double usedOfGuaranteed() {
    return guaranteed.get(0) <= 0 ? Double.MAX_VALUE : (double) used.get(0) / guaranteed.get(0);
  }

  /**
   * Whether YARN's preemption between queues makes room for these amounts: the queue uses less than its
   * guarantee, and others leave too little. Drivers that do not fit under the guarantee with their first
   * executors hold no more than their part.
   */
  boolean isPreemptedFor(ResourceVector amounts, ResourceVector driver) {
    return accounts.stream().skip(1).anyMatch(account -> !amounts.fitsIn(account.free()))
        && !guaranteed.fitsIn(used)
        && (amounts.plus(used).fitsIn(guaranteed) || beyondPart(driver) == null);
  }

  /** The account of which drivers would hold more than their part with one more; null if there is none. */
  Account beyondPart(ResourceVector driver) {
    return accounts.stream().filter(each -> !each.isWithinPart(driver)).findFirst().orElse(null);
  }

  /**
   * Whether drivers hold their part, less than these amounts is free, and they do not fit under the
   * guarantee. Room that is free shows that those who claim it cannot use it.
   */
  boolean isFull(ResourceVector amounts, ResourceVector driver) {
    Predicate<Account> fits = account -> amounts.fitsIn(account.free());
    return beyondPart(driver) != null && !amounts.plus(usedBefore).fitsIn(guaranteed)
        && !accounts.stream().allMatch(fits) && shareable.stream().noneMatch(fits);
  }

  /** Whether so much fits in addition to what later started applications claim. */
  boolean coversBesideLater(ResourceVector amounts) {
    return accounts.stream().allMatch(account -> account.coversBesideLater(amounts));
  }

  /** A started application that comes later claims so many containers, or so many less. */
  void claimLater(ResourceVector size, long count) {
    for (Account account : accounts) {
      account.behind().add(size, count);
    }
  }

  /** The account that cannot give so much; null if all can, or other nodes lend it. */
  Account shortAccount(ResourceAmounts amounts, boolean now) {
    Account found = ownShort(amounts, now);
    return found == null || lender(amounts, now) != null ? null : found;
  }

  private Account ownShort(ResourceAmounts amounts, boolean now) {
    return accounts.stream().filter(each -> !each.covers(amounts, now)).findFirst().orElse(null);
  }

  private Account lender(ResourceAmounts amounts, boolean now) {
    return shareable.stream().filter(each -> each.covers(amounts, now)).findFirst().orElse(null);
  }

  /** Whether only types other than memory and cores are short. */
  static boolean isOnlyRare(ResourceAmounts amounts, ResourceAmounts left) {
    for (int type = 0; type < Math.min(ALWAYS_REQUESTED, amounts.types()); type++) {
      if (amounts.get(type) > left.get(type)) {
        return false;
      }
    }
    return true;
  }

  /** Takes what an application gets that may start. */
  void grant(Account user, ResourceVector amounts) {
    Account lender = ownShort(amounts, false) == null ? null : lender(amounts, false);
    if (lender == null) {
      take(user, amounts, false);
    } else {
      user.left().subtract(amounts);
      lender.left().subtract(amounts);
    }
  }

  void grantDriver(Account user, ResourceVector driver) {
    accounts.forEach(account -> account.drivers().add(driver));
    reserves(user).forEach(reserve -> reserve.addDriver(driver));
  }

  /**
   * Takes what a container request claims: no more than there is, and nothing where a rare type is lacking
   * that each of its containers needs.
   *
   * @param now whether what is free now is taken as well
   */
  void claim(Account user, ResourceVector size, long count, boolean now) {
    long possible = count;
    for (int type = ALWAYS_REQUESTED; type < size.types(); type++) {
      if (size.get(type) > 0) {
        for (Account account : accounts) {
          possible = Math.min(possible, Math.max(0, account.left().get(type)) / size.get(type));
        }
      }
    }
    ResourceSum rest = new ResourceSum(size.types());
    rest.add(size, possible);
    rest.limitTo(user.left());
    ResourceSum taken = new ResourceSum(rest);
    for (Account account : accounts) {
      taken.limitTo(account.left());
    }
    take(user, taken, now);
    rest.subtract(taken);
    for (Account other : shareable) {
      ResourceSum there = new ResourceSum(rest);
      there.limitTo(other.left());
      other.left().subtract(there);
      rest.subtract(there);
    }
  }

  private void take(Account user, ResourceAmounts amounts, boolean now) {
    user.left().subtract(amounts);
    used.add(amounts);
    for (Account account : accounts) {
      account.left().subtract(amounts);
      if (now) {
        account.now().subtract(amounts);
      }
    }
  }

  /** Takes from what is free now alone. */
  void takeNow(ResourceVector amounts) {
    Account lender = ownShort(amounts, true) == null ? null : lender(amounts, true);
    if (lender == null) {
      accounts.forEach(account -> account.now().subtract(amounts));
    } else {
      lender.now().subtract(amounts);
    }
  }
}
