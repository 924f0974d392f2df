// SPDX-License-Identifier: Apache-2.0
/** Checks a {@code capacity-scheduler.xml}; needs Hadoop's jars, and no ResourceManager. Internal. */
package io.github.dripfeed.check;
