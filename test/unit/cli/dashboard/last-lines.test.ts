// The last lines of a Capp on the page: in the order of their instants, and what is missing is said.
import { jest } from '@jest/globals';
import { lastLines } from '../../../../cli/dashboard/feed/logs.ts';
import type { OpenedHub } from '../../../../cli/hub/connection/hub.ts';

const SHOP = { namespace: 'apps', name: 'shop' };
const ending = new AbortController();
let timeout: jest.SpiedFunction<typeof AbortSignal.timeout>;
beforeEach(() => {
  timeout = jest.spyOn(AbortSignal, 'timeout');
});
afterEach(() => timeout.mockRestore());

/** A reader that tells this, and then ends; or is silent until the time is over. */
function hubThatTells(lines: readonly string[], isSilent: boolean): OpenedHub {
  async function* answer(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
    if (!isSilent) return;
    ending.abort();
    throw ending.signal.reason;
  }
  return { transport: { open: async () => answer() } } as unknown as OpenedHub;
}

const line = (at: string, text: string): string => `site-1 pod-a/app ${at} ${text}`;

test('lines of sites in other time zones stand in the order in which they were written', async () => {
  const later = line('2026-01-01T10:00:01Z', 'later');
  const earlier = line('2026-01-01T12:00:00+02:00', 'earlier');
  const { lines, remarks } = await lastLines(hubThatTells([later, earlier], false), SHOP);
  expect(lines.map(({ text }) => text)).toEqual(['earlier', 'later']);
  expect(remarks).toEqual([]);
});

test('what came in time is shown, with that it is not all', async () => {
  timeout.mockReturnValue(ending.signal);
  const first = line('2026-01-01T10:00:01Z', 'first');
  const { lines, remarks } = await lastLines(hubThatTells([first], true), SHOP);
  expect(lines.map(({ text }) => text)).toEqual(['first']);
  expect(remarks).toEqual(["The hub's reader did not tell all within 10 seconds."]);
});

test('a reader that tells nothing in time is a sentence, and not a log without lines', async () => {
  timeout.mockReturnValue(ending.signal);
  await expect(lastLines(hubThatTells([], true), SHOP)).rejects.toThrow(
    "The hub's reader told nothing within 10 seconds. The command waits longer: kubectl capp logs shop -n apps.",
  );
});
