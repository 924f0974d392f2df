/* SPDX-License-Identifier: Apache-2.0 */
'use strict';
/* Follows the command's server. Names come from users: they are set as text, never as HTML. */
(() => {
  const FEW = 20, EVERY = 2000, PATIENCE = 10000, GOOD_FOR = 60000;
  const byId = id => document.getElementById(id);
  const sections = new Map();
  /* pausedSince: -1 while it follows. cut: the last question had no answer. */
  let latest = null, pausedSince = -1, cut = false, timer;
  /* The question whose answer is shown; null if none is under way. */
  let asking = null;
  /* That of the command's machine, so that its page tells the times that its other outputs tell. */
  let zone;

  function make(tag, parent, className, value) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (value !== undefined) element.textContent = value;
    if (parent) parent.appendChild(element);
    return element;
  }

  function text(element, value) {
    if (element.textContent !== value) element.textContent = value;
  }

  /* Undefined, which is the browser's own, if the browser does not know it. Java says GMT+02:00. */
  function knownZone(id) {
    const name = id.replace(/^(GMT|UTC?)(?=[+-])/, '');
    try {
      new Date().toLocaleTimeString([], {timeZone: name});
      return name;
    } catch (error) {
      return undefined;
    }
  }

  /* With the day, unless it is today's. */
  function time(millis) {
    if (millis < 0) return '-';
    const it = new Date(millis), date = {timeZone: zone};
    const day = it.toLocaleDateString([], date) === new Date().toLocaleDateString([], date) ? ''
      : it.toLocaleDateString([], {day: 'numeric', month: 'short', timeZone: zone}) + ' ';
    return day + it.toLocaleTimeString([], {hourCycle: 'h23', timeZone: zone});
  }

  /* A cell is a text, or a text with a smaller one below it. Elements stay, and so does a selection. */
  function fill(part, rows) {
    part.root.hidden = rows.length === 0;
    const body = part.body;
    while (body.rows.length > rows.length) body.deleteRow(-1);
    rows.forEach((row, i) => {
      const line = body.rows[i] || body.insertRow();
      line.setAttribute('role', 'row');
      while (line.cells.length > row.length) line.deleteCell(-1);
      row.forEach((value, j) => {
        const cell = line.cells[j] || line.insertCell();
        if (cell.childNodes.length === 0) {
          make('span', cell);
          make('small', cell);
        }
        const why = row.length === 1;
        cell.colSpan = why ? part.heads.length : 1;
        const two = Array.isArray(value) ? value : [value, ''];
        const id = part.heads[j] === 'application';
        cell.className = why ? 'why' : id ? 'id' : two[0] === '-' ? 'none' : '';
        cell.setAttribute('role', 'cell');
        /* Where the rows are narrow, each value has its head before it, unless it says itself what it is. */
        if (why || j === 0 || id) cell.removeAttribute('data-label');
        else cell.setAttribute('data-label', part.heads[j]);
        text(cell.firstChild, two[0]);
        text(cell.lastChild, two[1]);
      });
    });
  }

  function table(parent, title, heads) {
    const root = make('div', parent);
    const heading = make('h3', root, '', title);
    const element = make('table', root);
    element.setAttribute('role', 'table');
    element.setAttribute('aria-label', title);
    const row = make('tr', make('thead', element));
    heads.forEach(head => { make('th', row, '', head).scope = 'col'; });
    return {root: root, heading: heading, heads: heads, body: make('tbody', element)};
  }

  function toggle(parent) {
    const button = make('button', parent);
    button.type = 'button';
    button.setAttribute('aria-expanded', 'false');
    button.addEventListener('click', () => {
      button.setAttribute('aria-expanded', String(button.getAttribute('aria-expanded') !== 'true'));
      render();
    });
    return button;
  }

  const isOpen = button => button.getAttribute('aria-expanded') === 'true';

  function section(queue) {
    const root = make('section', byId('queues'), 'queue');
    const it = {root: root, title: make('h2', root, '', queue), summary: make('p', root),
      facts: make('p', root, 'quiet')};
    const parts = make('div', root, 'parts');
    const left = make('div', parts), right = make('div', parts);
    it.chartTitle = make('h3', left);
    it.svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    it.svg.setAttribute('class', 'chart');
    make('div', left).appendChild(it.svg);
    const legend = make('ul', left, 'legend');
    [['accepted', 'accepted'], ['starting', 'starting'], ['running', 'running'],
      ['failed', 'ended while starting'], ['taken-back', 'taken back']].forEach(entry => {
      const item = make('li', legend);
      make('span', item, entry[0]);
      item.appendChild(document.createTextNode(entry[1]));
    });
    it.all = toggle(left);
    const details = make('details', left);
    make('summary', details, '', 'The bars as a table');
    details.addEventListener('toggle', render);
    it.details = details;
    it.bars = table(details, 'Applications', ['application', 'user', 'now', 'what it went through']);
    it.starting = table(right, 'Starting', ['for', 'application', 'user', 'lacks']);
    it.nobody = make('p', right, 'quiet', 'Nobody is starting.');
    it.line = table(right, 'In line', ['place', 'application', 'user', 'waiting', 'starts in']);
    it.more = toggle(right);
    it.pending = table(right, "In YARN's own list, before the line",
      ['waiting', 'application', 'user', 'reason']);
    return it;
  }

  /* Tables end somewhere, and do not say so. */
  const more = count => count > 0 ? [['... and ' + count + ' more']] : [];
  const isLive = () => pausedSince < 0 && !cut && latest.state === 'live';

  const small = parts => parts.filter(part => part !== '').join(' \u00b7 ');

  function show(it, queue) {
    const bars = queue.bars;
    text(it.summary, queue.summary);
    text(it.facts, queue.facts);
    text(it.chartTitle, 'The last ' + bars.minutes + ' minutes');
    const few = chart.shown(bars, false).length;
    it.all.hidden = few >= bars.rows.length;
    text(it.all, isOpen(it.all) ? 'Only the ' + few + ' of now'
      : few + ' of ' + bars.total + ' applications: show ' + (bars.rows.length < bars.total ? 'more' : 'all'));
    chart.draw(it.svg, bars, isOpen(it.all), isLive(), zone);
    fill(it.bars, !it.details.open ? [] : chart.shown(bars, isOpen(it.all)).map(row =>
      [[row.application, row.name], row.user, row.state, row.segments.map(part => part.text).join('; ')]));
    fill(it.starting, queue.starting.map(row => [[row.for, row.atMost ? 'of ' + row.atMost : ''],
      [row.application, small([row.name, row.type, row.partition])], row.user, row.lacks])
      .concat(more(queue.inStarting - queue.starting.length)));
    it.nobody.hidden = queue.inStarting > 0;
    const rows = [], told = queue.line.slice(0, isOpen(it.more) ? queue.line.length : FEW);
    let why = null;
    told.forEach(row => {
      if (row.reason !== why && row.reason !== '') rows.push([row.reason]);
      why = row.reason;
      rows.push([row.place < 0 ? 'back' : String(row.place),
        [row.application, small([row.name, row.type, row.asks, row.partition])], row.user, row.for,
        row.startsIn]);
    });
    fill(it.line, rows.concat(more(queue.inLine - told.length)));
    it.more.hidden = queue.line.length <= FEW;
    text(it.more, (isOpen(it.more) ? 'Show only the first ' + FEW : 'Show the first ' + queue.line.length)
      + ' of the line');
    fill(it.pending, queue.pending.map(row => [row.for, [row.application, small([row.name, row.type])],
      row.user, row.reason]).concat(more(queue.inOwnList - queue.pending.length)));
  }

  function say(className, value) {
    const state = byId('state');
    state.className = className;
    text(state, value);
    document.body.classList.toggle('gone', className === 'bad');
  }

  function render() {
    if (!latest) return;
    const data = latest;
    text(byId('where'), data.resourceManager + ', Dripfeed ' + data.version + ', times of '
      + (zone || 'this browser'));
    if (!sections.size) text(byId('queues'), '');
    const present = new Set(data.queues.map(queue => queue.queue));
    sections.forEach((it, name) => {
      if (!present.has(name)) {
        it.root.remove();
        sections.delete(name);
      }
    });
    /* What is in its place stays there: an element that is inserted again loses focus and selection. */
    let place = byId('queues').firstElementChild;
    data.queues.forEach(queue => {
      if (!sections.has(queue.queue)) sections.set(queue.queue, section(queue.queue));
      const it = sections.get(queue.queue);
      if (it.root === place) place = place.nextElementSibling;
      else byId('queues').insertBefore(it.root, place);
      show(it, queue);
    });
    text(byId('known'), data.knownSince < 0 ? '' : 'Events are known since ' + time(data.knownSince) + '.');
    text(byId('idle'), (data.moreQueues ? data.moreQueues + ' more queues are not shown (--queue). ' : '')
      + (data.idleQueues ? 'Nobody started or waited '
      + (data.knownSince < 0 ? 'in the last hour: ' : 'since ' + time(data.knownSince) + ': ') + data.idle.join(', ')
      + (data.idleQueues > data.idle.length ? ' and more' : '')
      : data.queues.length ? '' : 'No queue is under Dripfeed.'));
  }

  function age() {
    text(byId('age'), (pausedSince < 0 ? '' : 'Paused since ' + time(pausedSince) + ', ')
      + (latest ? 'as of ' + time(latest.read) : ''));
  }

  function condition(data) {
    const last = ' What is shown is of ' + time(data.read) + '.';
    if (data.state === 'gone') {
      say('bad', 'The ResourceManager is gone since ' + time(data.goneSince) + '.' + last + '\n' + data.problem);
    } else if (data.state === 'slow') {
      say('bad', 'The ResourceManager has not answered yet, and what is shown is older than 5 s.' + last);
    } else if (data.backSince >= 0 && data.now - data.backSince < GOOD_FOR) {
      say('good', data.unaskedFrom < 0 ? 'The ResourceManager is back since ' + time(data.backSince)
        + '; it was gone from ' + time(data.backFrom) + ' on.'
        : 'The ResourceManager answers. It was gone from ' + time(data.backFrom) + ' until '
        + time(data.unaskedFrom) + ' at least; from then until ' + time(data.backSince) + ' nobody asked.');
    } else {
      say('', '');
    }
    age();
  }

  /* What was shown stays, but not as if it were live. */
  function unanswered() {
    cut = true;
    say('bad', 'The command "view" does not answer: it has ended, or the tunnel to it.'
      + (latest ? ' What is shown is of ' + time(latest.read) + '.' : ''));
    render();
  }

  /* One timer, however often somebody pauses and goes on. */
  function next() {
    clearTimeout(timer);
    timer = setTimeout(follow, EVERY);
  }

  function follow() {
    clearTimeout(timer);
    /* What was asked before a pause does not change the picture in it. */
    if (asking) asking.abort();
    asking = null;
    if (pausedSince >= 0) return;
    /* A tunnel may hang without an end. */
    const mine = new AbortController(), limit = setTimeout(() => mine.abort(), PATIENCE);
    asking = mine;
    fetch('data.json', {cache: 'no-store', signal: mine.signal}).then(answer => {
      if (!answer.ok) throw new Error('HTTP ' + answer.status);
      return answer.json();
    }).then(data => {
      if (asking !== mine) return;
      latest = data;
      zone = knownZone(data.zone);
      cut = false;
      condition(data);
      render();
    }, () => {
      if (asking === mine) unanswered();
    }).catch(error => say('bad', 'This page cannot show the answer: ' + error)).finally(() => {
      clearTimeout(limit);
      if (asking !== mine) return;
      asking = null;
      next();
    });
  }

  byId('pause').addEventListener('click', () => {
    pausedSince = pausedSince < 0 ? Date.now() : -1;
    byId('pause').setAttribute('aria-pressed', String(pausedSince >= 0));
    age();
    render();
    follow();
  });
  window.addEventListener('resize', render);
  follow();
})();
