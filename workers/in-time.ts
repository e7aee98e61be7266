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

function watch(answer: Promise<unknown>, milliseconds: number, late: () => void): void {
  const timer = setTimeout(late, milliseconds).unref();
  const settled = (): void => clearTimeout(timer);
  answer.then(settled, settled);
}
