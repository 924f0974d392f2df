// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * The ResourceManager's dispatcher without a thread: {@link #drain} handles the events one by one and in
 * order.
 */
final class ManualDispatcher extends AbstractService implements Dispatcher {

  private final Map<Class<?>, EventHandler<Event<?>>> handlers = new LinkedHashMap<>();
  private final Queue<Event<?>> events = new ConcurrentLinkedQueue<>();
  private final Consumer<Event<?>> observer;

  /** @param observer gets each event before it is handled */
  ManualDispatcher(Consumer<Event<?>> observer) {
    super("EventPump");
    this.observer = observer;
  }

  @Override
  @SuppressWarnings("rawtypes") // as YARN declares it
  public EventHandler<Event> getEventHandler() {
    return events::add;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public void register(Class<? extends Enum> type, EventHandler handler) {
    EventHandler<Event<?>> before = handlers.get(type);
    handlers.put(type, before == null ? handler : event -> {
      before.handle(event);
      ((EventHandler<Event<?>>) handler).handle(event);
    });
  }

  void drain() {
    for (Event<?> event = events.poll(); event != null; event = events.poll()) {
      observer.accept(event);
      EventHandler<Event<?>> handler = handlers.get(event.getType().getDeclaringClass());
      if (handler == null) {
        throw new IllegalStateException("Nobody handles " + event);
      }
      handler.handle(event);
    }
  }
}
