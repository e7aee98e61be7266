// What @peculiar/x509's injection container asks of the global Reflect before it will load; imported before that library.
//
// The container (tsyringe) wants the reflect-metadata polyfill, for constructor types that the library never declares. Answering
// "none" is enough, and spares a dependency.
const none = { getMetadata: () => undefined, getOwnMetadata: () => undefined };

for (const [name, value] of Object.entries(none)) {
  if (!Reflect.has(Reflect, name)) Object.defineProperty(Reflect, name, { value, configurable: true, writable: true });
}
