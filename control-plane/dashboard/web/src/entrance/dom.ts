type Child = Node | string | null;

/** Returns a new element. Children that are text become text nodes, so a name can never be markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | boolean> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Returns a link to a page of this site; `path` has no slash at the start, so that it works below a path. */
export function link(path: string, text: string): HTMLAnchorElement {
  return el('a', { href: path }, text);
}

/** Shows a page in place of the one that is there, and moves the focus into it. */
export function show(title: string, ...children: readonly Child[]): void {
  document.title = `${title} · Picket`;
  const card = el('main', { class: 'card' }, el('h1', { tabindex: '-1' }, title), ...children);
  document.getElementById('card')?.replaceChildren(card);
  const first =
    card.querySelector<HTMLElement>('input:not([readonly]), button') ?? card.querySelector<HTMLElement>('h1');
  first?.focus();
}
