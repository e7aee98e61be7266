// What a report of StrykerJS says against the survivors that are known (make stryker).
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge, type StrykerReport } from '../../stryker/judge.ts';
import { STRYKER_ROOMS } from '../../stryker/rooms.ts';
import { SURVIVORS } from '../../stryker/survivors.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FILE = 'workflows/placement/some.ts';
const SOURCE = 'export const more = (n: number) =>\n  n > 0\n    ? n : 1;\n';

function reportOf(status: string, end = { line: 2, column: 8 }): StrykerReport {
  const mutant = { status, replacement: 'n >= 0', location: { start: { line: 2, column: 3 }, end } };
  return { files: { [FILE]: { source: SOURCE, mutants: [mutant] } } };
}
const SURVIVOR = { file: FILE, line: 'n > 0', text: 'n > 0', becomes: 'n >= 0' };
const KNOWN = { ...SURVIVOR, because: 'n is never 0' };

describe('the report of StrykerJS', () => {
  it.each(['Survived', 'NoCoverage'])('names what nobody has explained, when its status is %s', (status) => {
    expect(judge(reportOf(status), [])).toEqual({ tried: 1, unknown: [SURVIVOR], outdated: [] });
  });

  it('says nothing of what is known', () => {
    expect(judge(reportOf('Survived'), [KNOWN])).toEqual({ tried: 1, unknown: [], outdated: [] });
  });

  it.each(['Killed', 'Timeout'])('names what is known and seen now, when its status is %s', (status) => {
    expect(judge(reportOf(status), [KNOWN])).toEqual({ tried: 1, unknown: [], outdated: [KNOWN] });
  });

  it('says nothing of what is known in a file that was not tried', () => {
    expect(judge({ files: {} }, [KNOWN])).toEqual({ tried: 0, unknown: [], outdated: [] });
  });

  it('shows what goes over several lines as it stands there', () => {
    const { unknown } = judge(reportOf('Survived', { line: 3, column: 12 }), []);
    expect(unknown).toEqual([{ ...SURVIVOR, text: 'n > 0\n    ? n : 1' }]);
  });
});

describe('each room of StrykerJS', () => {
  it.each(Object.entries(STRYKER_ROOMS))('%s has files to change, and tests', (_name, { mutate, tests }) => {
    for (const pattern of [...mutate, ...tests])
      expect({ pattern, files: globSync(pattern, { cwd: ROOT }).length > 0 }).toEqual({
        pattern,
        files: true,
      });
  });
});

describe('each known survivor', () => {
  it('stands in the file that it names, and says why it may survive', () => {
    for (const { file, line, because } of SURVIVORS) {
      expect(existsSync(join(ROOT, file))).toBe(true);
      expect(readFileSync(join(ROOT, file), 'utf8')).toContain(line);
      expect(because.length).toBeGreaterThan(20);
    }
  });
});
