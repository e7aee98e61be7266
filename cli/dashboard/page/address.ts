// Where the page is: `#/<view>/<names>?<filters>`, so that back, reload and a second window work.
import { signal } from '@preact/signals';

export interface PageAddress {
  readonly view: string;
  readonly names: readonly string[];
  readonly filters: URLSearchParams;
}

export const address = signal(addressIn(location.hash));

window.addEventListener('hashchange', () => {
  address.value = addressIn(location.hash);
});

/** What does not begin with a slash is no address of the page, but the secret of the printed one. */
function addressIn(hash: string): PageAddress {
  const [path = '', query = ''] = hash.startsWith('#/') ? hash.slice(1).split('?') : [];
  const [view = '', ...names] = path
    .split('/')
    .filter((one) => one !== '')
    .map(plain);
  return { view: view === '' ? 'fleet' : view, names, filters: new URLSearchParams(query) };
}

/** What somebody wrote by hand may be no encoding. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function go(path: string): void {
  location.hash = path;
}

/** As `go`, and the address before it is forgotten. */
export function replace(path: string): void {
  history.replaceState(null, '', `#${path}`);
  address.value = addressIn(location.hash);
}

/** The same view with another filter; null takes it away. It makes no step in the history. */
export function filter(name: string, value: string | null): void {
  replace(filtered(name, value));
}

/** The address of this view with another filter. */
export function filtered(name: string, value: string | null): string {
  const { view, names, filters } = address.value;
  const next = new URLSearchParams(filters);
  if (value === null || value === '') next.delete(name);
  else next.set(name, value);
  const query = next.toString();
  return `/${[view, ...names].map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}
