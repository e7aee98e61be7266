// Shifts the clock of the Node process that loads it with --import: by as many milliseconds as the file
// STORM_CLOCK says, read again five times a second. Timers and TLS keep the machine's clock.
import { readFileSync } from 'node:fs';

const { STORM_CLOCK: file } = process.env;
const READ_EVERY_MS = 200;
const Real = Date;
const realNow = Date.now.bind(Date);
let shift = 0;

if (file !== undefined) {
  const read = (): void => {
    try {
      shift = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      shift = 0;
    }
  };
  read();
  setInterval(read, READ_EVERY_MS).unref();
  Date.now = () => realNow() + shift;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, made) =>
      Reflect.construct(
        target,
        args.length === 0 ? [realNow() + shift] : args,
        made === globalThis.Date ? target : made,
      ) as object,
    apply: () => new Real(realNow() + shift).toString(),
  });
}
