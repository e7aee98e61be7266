// Whether an address has nothing beside a host, a port and a path. Pure.

export function isPlain({ username, password, href }: URL): boolean {
  return username === '' && password === '' && !/[?#]/.test(href);
}
