// Who may come in, and for how long a dashboard stays that nobody looks at.
import { jest } from '@jest/globals';
import { idleTimer } from '../../../../cli/dashboard/door/idle.ts';
import { newSecrets } from '../../../../cli/dashboard/door/secrets.ts';

test('before the secret is used nothing opens a tab', () => {
  const secrets = newSecrets();
  expect(secrets.openTab('', '')).toBeNull();
  expect(secrets.openTab(null, null)).toBeNull();
  expect(secrets.isTab(null, null)).toBe(false);
});

test('64 tabs may be open; the one that was silent for longest has to come in again', () => {
  const secrets = newSecrets();
  const { cookie = '', pageKey = '' } = secrets.enter(secrets.once) ?? {};
  const open = () => secrets.openTab(cookie, pageKey) ?? '';
  const tabs = Array.from({ length: 64 }, open);
  const [first = '', second = ''] = tabs;
  expect(new Set(tabs).size).toBe(64);
  expect(secrets.isTab(cookie, first)).toBe(true);
  const last = open();
  expect([first, second, last].map((key) => secrets.isTab(cookie, key))).toEqual([true, false, true]);
});

describe('the timer of a dashboard that nobody looks at', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('begins anew with each request, and rests while a page holds a stream', () => {
    const end = jest.fn();
    const idle = idleTimer(1000, end);
    jest.advanceTimersByTime(900);
    idle.touch();
    jest.advanceTimersByTime(900);
    const [release, other] = [idle.hold(), idle.hold()];
    jest.advanceTimersByTime(10_000);
    release();
    // A second call frees nobody else's.
    release();
    jest.advanceTimersByTime(10_000);
    expect(end).not.toHaveBeenCalled();
    other();
    jest.advanceTimersByTime(999);
    expect(end).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(end).toHaveBeenCalledTimes(1);
  });

  test('that was stopped stays so when a stream ends afterwards: the program would not end for half an hour', () => {
    const end = jest.fn();
    const idle = idleTimer(1000, end);
    const release = idle.hold();
    idle.stop();
    release();
    idle.touch();
    expect(jest.getTimerCount()).toBe(0);
  });
});
