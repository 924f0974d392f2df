/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.config;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * The properties of a state-aware queue (contract, section 2): their names, defaults, and what is
 * allowed.
 */
public enum PolicyProperty {
  STARTING_TIMEOUT("starting-timeout", "5m", Kind.DURATION_ABOVE_ZERO),
  MAX_STARTING("max-starting", "1", Kind.COUNT_FROM_ONE),
  PARALLEL_START("parallel-start", "off", Kind.PARALLEL_START),
  MIN_EXECUTORS("min-executors", "1", Kind.COUNT_FROM_ONE),
  ACCEPTED_TIMEOUT("accepted-timeout", "5m", Kind.DURATION_OR_ZERO),
  IDLE_TIMEOUT("idle-timeout", "0", Kind.DURATION_OR_ZERO),
  ORDER("order", "priority", Kind.ORDER),
  MAX_CONTAINERS("max-containers", "0", Kind.COUNT_OR_ZERO),
  PRIORITY_WEIGHT("priority-weight", "true", Kind.BOOLEAN),
  EXEMPT_APPLICATION_TYPES("exempt-application-types", "", Kind.LIST),
  ALLOW_APPLICATION_OVERRIDES("allow-application-overrides", "false", Kind.BOOLEAN),
  MAX_STARTING_TIMEOUT("max-starting-timeout", "30m", Kind.DURATION_ABOVE_ZERO),
  MONITOR_INTERVAL("monitor-interval", "1s", Kind.DURATION_ABOVE_ZERO),
  RECLAIM_ENABLED("reclaim.enabled", "false", Kind.BOOLEAN),
  RECLAIM_GRACE_PERIOD("reclaim.grace-period", "15s", Kind.DURATION_FROM_ZERO),
  RECLAIM_INTERVAL("reclaim.interval", "3s", Kind.DURATION_ABOVE_ZERO),
  RECLAIM_MAX_PER_ROUND("reclaim.max-per-round", "10%", Kind.PART_ABOVE_ZERO),
  RECLAIM_DEAD_ZONE("reclaim.dead-zone", "10%", Kind.PART);

  /** As a policy knows it; YARN does not tell it its queue. */
  public static final String PREFIX = "state-aware.";

  /** Of no content: only its way to read a duration is used. */
  private static final Configuration DURATIONS = new Configuration(false);

  private final String key;
  private final String defaultValue;
  private final Kind kind;

  PolicyProperty(String key, String defaultValue, Kind kind) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.kind = kind;
  }

  /** The property of this name below {@code state-aware.}, or null. */
  public static PolicyProperty named(String key) {
    for (PolicyProperty property : values()) {
      if (property.key.equals(key)) {
        return property;
      }
    }
    return null;
  }

  public String key() {
    return key;
  }

  /** Whether it says how to reclaim, and so nothing where that is off. */
  boolean isOfReclaim() {
    return key.startsWith("reclaim.") && this != RECLAIM_ENABLED;
  }

  public String defaultValue() {
    return defaultValue;
  }

  /** What its values may be, as the end of the sentence "allowed is ...". */
  String allowed() {
    return kind.allowed;
  }

  boolean allows(String value) {
    return kind.allows(value);
  }

  /**
   * As it stands: {@code ${...}} is nobody's variable here, since some values come from users.
   *
   * @throws NumberFormatException if it is none
   */
  static long durationMillis(String value) {
    return DURATIONS.getTimeDurationHelper(PREFIX, value, TimeUnit.MILLISECONDS);
  }

  /** @throws NumberFormatException if it is none */
  static double part(String value) {
    return value.endsWith("%")
        ? Double.parseDouble(value.substring(0, value.length() - 1)) / 100
        : Double.parseDouble(value);
  }

  private enum Kind {
    DURATION_ABOVE_ZERO("a duration above 0 such as 300s or 5m; a bare number is milliseconds") {
      @Override
      boolean allows(String value) {
        return isDuration(value, 1);
      }
    },
    DURATION_OR_ZERO("a duration such as 300s or 5m, or 0 for off; a bare number is milliseconds") {
      @Override
      boolean allows(String value) {
        return isDuration(value, 0);
      }
    },
    DURATION_FROM_ZERO("a duration such as 15s, or 0; a bare number is milliseconds") {
      @Override
      boolean allows(String value) {
        return isDuration(value, 0);
      }
    },
    PART_ABOVE_ZERO("a percentage above 0% and up to 100%, or a fraction such as 0.1") {
      @Override
      boolean allows(String value) {
        return isPart(value) && PolicyProperty.part(value) > 0;
      }
    },
    PART("a percentage from 0% to 100%, or a fraction such as 0.1") {
      @Override
      boolean allows(String value) {
        return isPart(value);
      }
    },
    COUNT_FROM_ONE("a whole number from 1 to " + Integer.MAX_VALUE) {
      @Override
      boolean allows(String value) {
        return isCount(value, 1);
      }
    },
    COUNT_OR_ZERO("a whole number from 1 to " + Integer.MAX_VALUE + ", or 0 for no limit") {
      @Override
      boolean allows(String value) {
        return isCount(value, 0);
      }
    },
    BOOLEAN("true or false") {
      @Override
      boolean allows(String value) {
        return value.equals("true") || value.equals("false");
      }
    },
    ORDER("priority or fifo") {
      @Override
      boolean allows(String value) {
        return value.equals("priority") || value.equals("fifo");
      }
    },
    PARALLEL_START("off or headroom") {
      @Override
      boolean allows(String value) {
        return value.equals("off") || value.equals("headroom");
      }
    },
    LIST("a comma-separated list") {
      @Override
      boolean allows(String value) {
        return true;
      }
    };

    private final String allowed;

    Kind(String allowed) {
      this.allowed = allowed;
    }

    abstract boolean allows(String value);

    private static boolean isDuration(String value, long least) {
      try {
        return durationMillis(value) >= least;
      } catch (NumberFormatException e) {
        return false;
      }
    }

    private static boolean isPart(String value) {
      try {
        double part = PolicyProperty.part(value);
        return part >= 0 && part <= 1;
      } catch (NumberFormatException e) {
        return false;
      }
    }

    private static boolean isCount(String value, int least) {
      try {
        return Integer.parseInt(value) >= least;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }
}
