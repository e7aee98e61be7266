// The order of test files. A file that takes minutes and begins last keeps one worker waiting for the other.
import sequencer from '@jest/test-sequencer';

/** Each takes minutes. The slowest is first. */
const SLOWEST = [
  'activity/release/release',
  'activity/hub-command/join',
  'activity/hub-command/hub-command',
  'activity/dashboard/dashboard',
  'flow/drain/drains',
  'flow/drain/turns',
  'flow/join/joins',
].map((name) => `/test/${name}.test.ts`);

/** Its types are those of its CommonJS build, and Node imports the other one. */
const Sequencer = sequencer as unknown as typeof sequencer.default;
type Tests = Parameters<sequencer.default['sort']>[0];

/**
 * Jest's own order, after those that are known to be slow: in a fresh clone it knows only how long files are.
 */
// oxlint-disable-next-line import/no-default-export -- Jest takes nothing else
export default class SlowestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of Jest's sequencer
    const others = await super.sort(tests);
    const rank = (path: string): number => {
      const found = SLOWEST.findIndex((name) => path.endsWith(name));
      return found === -1 ? SLOWEST.length : found;
    };
    return [...others].toSorted((a, b) => rank(a.path) - rank(b.path));
  }
}
