// Notices calls that are never answered, such as those to a thread that a workflow in an endless loop keeps busy.

/** An object like this one. `late` is called if a promise that one of its methods gives is not settled in so many milliseconds. */
export function answeringIn<T extends object>(milliseconds: number, target: T, late: () => void): T {
  return new Proxy(target, {
    get: (object, key) => {
      const member: unknown = Reflect.get(object, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, object, args);
        if (answer instanceof Promise) watch(answer, milliseconds, late);
        return answer;
      };
    },
  });
}

/** In two halves: a process that was itself held still for a while hears what came meanwhile before the second one is over. */
function watch(answer: Promise<unknown>, milliseconds: number, late: () => void): void {
  const half = milliseconds / 2;
  let timer = setTimeout(() => {
    timer = setTimeout(late, half).unref();
  }, half).unref();
  const settled = (): void => clearTimeout(timer);
  answer.then(settled, settled);
}
