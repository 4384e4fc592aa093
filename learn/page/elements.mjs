// Making elements. What a server said is put in as text, never as markup.
export const find = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}
export const text = (name, content, className = '') => element(name, { textContent: content, className });

/** Text that may be longer than there is room: what can be scrolled can be come to by the keyboard. */
export function scroller(content, label) {
  const made = element('pre', { tabIndex: 0, textContent: content });
  made.setAttribute('aria-label', label);
  return made;
}

/** A table with a caption. @param rows of cells, each a text or an element */
export function table(caption, head, rows) {
  const cells = (row) =>
    row.map((cell, index) => {
      const made = typeof cell === 'string' ? text('td', cell) : element('td', {}, cell);
      made.role = 'cell';
      made.dataset.head = head[index];
      return made;
    });
  const heads = head.map((name) => element('th', { scope: 'col', role: 'columnheader', textContent: name }));
  return element(
    'table',
    // Roles, as a table whose rows are shown as blocks would lose them.
    { role: 'table' },
    text('caption', caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads)),
    element('tbody', { role: 'rowgroup' }, ...rows.map((row) => element('tr', { role: 'row' }, ...cells(row)))),
  );
}
