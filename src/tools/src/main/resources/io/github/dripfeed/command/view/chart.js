/* SPDX-License-Identifier: Apache-2.0 */
'use strict';
/* Bars as SVG. Text is only ever set as text; elements are used again, so that a tooltip stays. */
const chart = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const SHOWN_BEFORE = 15, SHOWN_AFTER = 25, TOP = 6, BOTTOM = 24;

  function pool(parent, tag, count) {
    while (parent.childNodes.length > count) parent.removeChild(parent.lastChild);
    while (parent.childNodes.length < count) parent.appendChild(document.createElementNS(SVG, tag));
    return parent.childNodes;
  }

  function set(element, attributes) {
    for (const name of Object.keys(attributes)) {
      const value = String(attributes[name]);
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }

  function text(element, value) {
    if (element.textContent !== value) element.textContent = value;
  }

  function titled(element, value) {
    if (!element.firstChild) element.appendChild(document.createElementNS(SVG, 'title'));
    text(element.firstChild, value);
  }

  function label(row) {
    return row.application.replace(/^application_\d+_/, '') + ' ' + row.user;
  }

  function clock(time, zone) {
    return new Date(time).toLocaleTimeString([],
      {hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone});
  }

  /* The rows that are drawn: those around the one that starts, or all. */
  function shown(bars, all) {
    const begin = all ? 0 : Math.max(0, bars.current - SHOWN_BEFORE);
    return bars.rows.slice(begin, all ? bars.rows.length : begin + SHOWN_BEFORE + SHOWN_AFTER);
  }

  function draw(svg, bars, all, live, zone) {
    const rows = shown(bars, all);
    const pitch = rows.length > 60 ? 7 : 20;
    const width = Math.max(260, svg.parentNode.clientWidth);
    const left = pitch < 12 ? 4 : Math.min(150, Math.round(width * 0.3));
    const height = TOP + rows.length * pitch + BOTTOM;
    const scale = (width - left - 4) / (bars.to - bars.from);
    const x = time => left + (Math.max(bars.from, time) - bars.from) * scale;
    set(svg, {width: width, height: height, viewBox: '0 0 ' + width + ' ' + height, role: 'img',
      'aria-label': 'The last ' + bars.minutes + ' minutes: ' + bars.total + ' applications as bars; '
        + 'the table below has the same'});
    const groups = pool(svg, 'g', 3);
    const steps = width > 500 ? 5 : 2;
    const lines = pool(groups[0], 'g', steps + 1);
    for (let i = 0; i <= steps; i++) {
      const time = bars.from + (bars.to - bars.from) * i / steps, at = x(time);
      if (!lines[i].firstChild) {
        lines[i].appendChild(document.createElementNS(SVG, 'line'));
        lines[i].appendChild(document.createElementNS(SVG, 'text'));
      }
      set(lines[i].firstChild, {'class': 'grid', x1: at, x2: at, y1: TOP, y2: height - BOTTOM});
      set(lines[i].lastChild, {'class': 'tick', x: at, y: height - 8,
        'text-anchor': i === 0 ? 'start' : i === steps ? 'end' : 'middle'});
      text(lines[i].lastChild, i === steps && live ? 'now' : clock(time, zone));
    }
    const names = pool(groups[1], 'text', pitch < 12 ? 0 : rows.length);
    const most = Math.floor(left / 7);
    names.forEach((name, i) => {
      const full = label(rows[i]);
      set(name, {x: 0, y: TOP + i * pitch + 13});
      text(name, full.length > most ? full.slice(0, most - 1) + '\u2026' : full);
    });
    const boxes = [];
    rows.forEach((row, i) => {
      const y = TOP + i * pitch, tall = pitch < 12 ? pitch - 1 : pitch - 5;
      row.segments.forEach(part => {
        if (part.to < bars.from) return;
        boxes.push({'class': part.state, x: x(part.from), y: y, height: tall, rx: 1,
          width: Math.max(1, x(part.to) - x(part.from)),
          title: row.application + ' ' + row.name + ' (' + row.user + '): ' + part.text});
      });
      /* Last, so that what the next attempt does does not hide them. */
      row.segments.filter(part => part.end && part.to >= bars.from).forEach(part =>
        boxes.push({'class': part.end, x: x(part.to) - 1, y: y - 1, width: 3, height: tall + 2, rx: 0,
          title: row.application + (part.end === 'failed' ? ' ended while starting' : ' was taken back')}));
    });
    const rects = pool(groups[2], 'rect', boxes.length);
    boxes.forEach((box, i) => {
      const title = box.title;
      delete box.title;
      set(rects[i], box);
      titled(rects[i], title);
    });
  }

  return {draw: draw, shown: shown};
})();
