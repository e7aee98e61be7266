import { describe as show, duration, progressOn } from '../../../deploy/local/terminal.ts';

it.each([
  [0.42, '0.4 s'],
  [9.94, '9.9 s'],
  [12.4, '12 s'],
  [59.4, '59 s'],
  [185, '3 min 05 s'],
])('%d seconds read as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it('a line has the step, its time so far, its usual duration and the detail', () => {
  expect(
    show({ text: 'Building temporal (4 of 12)', detail: 'net/http', seconds: 62, expectSeconds: 180 }),
  ).toBe('Building temporal (4 of 12): 1 min 02 s of about 3 min 00 s on 2 cores · net/http');
});

it('a step that fails prints "failed" and rethrows the error', async () => {
  const written: string[] = [];
  const progress = progressOn({ write: (text) => written.push(text), isTTY: false, columns: 80 });
  await expect(progress.step('Trying', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(written.join('')).toMatch(/^Trying: failed \(0\.0 s\)\n$/);
});
