// Making elements. What a server said is put in as text, never as markup.
export const find = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}
export const text = (name, content, className = '') => element(name, { textContent: content, className });

/** A table with a caption. @param rows of cells, each a text or an element */
export function table(caption, head, rows) {
  const cells = (row) => row.map((cell) => (typeof cell === 'string' ? text('td', cell) : element('td', {}, cell)));
  return element(
    'table',
    {},
    text('caption', caption),
    element('thead', {}, element('tr', {}, ...head.map((name) => element('th', { scope: 'col', textContent: name })))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row)))),
  );
}
