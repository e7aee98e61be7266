// Names that were replaced by a standard term do not return, neither as a file name nor as an exported name.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

interface Replaced {
  /** A whole file name without its ending, or a whole exported name. */
  readonly word: string;
  readonly instead: string;
}

const REPLACED: readonly Replaced[] = [
  { word: 'HandCache', instead: 'FakeCache' },
  { word: 'MarkedProcess', instead: 'StackProcess' },
  { word: 'SiteStage', instead: 'SiteTestbed' },
  { word: 'Somebody', instead: 'TestUser' },
  { word: 'Stage', instead: 'Testbed' },
  { word: 'Voice', instead: 'RawClient' },
  { word: 'WatchStage', instead: 'WatchTestbed' },
  { word: 'Wish', instead: 'CappOptions or MoveRequest' },
  { word: 'eavesdrop', instead: 'call-recorder' },
  { word: 'end-processes', instead: 'stack-processes' },
  { word: 'exodus', instead: 'drain' },
  { word: 'forgetStack', instead: 'deleteStackData' },
  { word: 'hand-cache', instead: 'fake-cache' },
  { word: 'handCache', instead: 'fakeCache' },
  { word: 'markedProcesses', instead: 'stackProcesses' },
  { word: 'marks', instead: 'stackEnvironment or minimumVersions' },
  { word: 'odd-capps', instead: 'malformed-capps' },
  { word: 'oddCapp', instead: 'malformedCapp' },
  { word: 'openStage', instead: 'openTestbed' },
  { word: 'raiseSiteStage', instead: 'siteTestbed' },
  { word: 'raiseWatchStage', instead: 'watchTestbed' },
  { word: 'storm-deeds', instead: 'storm-actions' },
  { word: 'takeAway', instead: 'stopProcess' },
  { word: 'traveller', instead: 'drained-capp' },
  { word: 'untilWell', instead: 'untilAvailable' },
  { word: 'census', instead: 'resync' },
  { word: 'fieldFor', instead: 'placementInputs' },
  { word: 'Field', instead: 'PlacementInputs' },
  { word: 'learn', instead: 'an event: after/choice, after/apply, rings' },
  { word: 'taken', instead: 'an event: after/choice, after/apply, rings' },
  { word: 'went', instead: 'after/removal' },
  { word: 'hear', instead: 'takeReadable' },
  { word: 'unhear', instead: 'countUnreadable' },
  { word: 'near', instead: 'localRead' },
  { word: 'quick', instead: 'localWrite' },
  { word: 'promptly', instead: 'localFirst' },
  { word: 'petition', instead: 'requestTurn' },
  { word: 'Petition', instead: 'TurnRequest' },
  { word: 'Pause', instead: 'Backoff' },
  { word: 'Standing', instead: 'PlacementHistory, Occupant or PublishedScore' },
  { word: 'standing', instead: 'move-rules' },
  { word: 'Unremoved', instead: 'FailedRemoval' },
  { word: 'Debt', instead: 'AwaitingDrain' },
  { word: 'wish', instead: 'move-request' },
  { word: 'extras', instead: 'custom-scores' },
  { word: 'markOf', instead: 'fingerprintOf' },
  { word: 'patiently', instead: 'holdsInTime' },
  { word: 'saidSite', instead: 'recordedSite' },
  { word: 'wordFor', instead: 'confirmationCommand' },
];

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
});
// git also lists files that are deleted but not committed.
const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)));
const EXPORTED = /^export (?:default )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;

/** Every file name and exported name → the files that have it. */
const names = new Map<string, string[]>();
for (const file of files) {
  const exported = [...readFileSync(join(ROOT, file), 'utf8').matchAll(EXPORTED)].map(
    ([, name = '']) => name,
  );
  for (const name of [basename(file).replace(/(?:\.test)?\.ts$/, ''), ...exported])
    names.set(name, [...(names.get(name) ?? []), file]);
}

test.each(REPLACED)('no file and no export is named $word: use $instead', ({ word }) => {
  expect(names.get(word) ?? []).toEqual([]);
});

test('file names and exported names are found', () => {
  expect(names.get('eventually')).toContain('testbed/eventually.ts');
  expect(names.get('ROOMS')).toEqual(['lint/rooms/rooms.ts']);
});
