// What a workflow makes of what it is begun with: a checkpoint of this version or an earlier one, or nothing
// that can be read.
import { readScoreOrder, readSite, readState } from '../../../workflows/parse/start.ts';
import { UNREADABLE } from '../../../workflows/parse/payload-converter.ts';
import { initialState } from '../../../workflows/capp/state.ts';
import { aCopy, aPlacedState, CAPP } from '../../support/builders/states.ts';

const NOTHING: readonly unknown[] = [
  undefined,
  null,
  7,
  true,
  '',
  'spec',
  [],
  [null],
  {},
  UNREADABLE,
  'x'.repeat(1_000_000),
];

describe('a workflow is begun', () => {
  test('from its checkpoint, with what is new in this version', () => {
    const { unreadable: _unreadable, ...older } = aPlacedState({ ringsHeard: 7 });
    expect(readState(JSON.parse(JSON.stringify(older)), 'capp/apps/app')).toEqual({
      ...older,
      unreadable: 0,
    });
  });

  test('from a checkpoint whose copies lack what this version knows of copies', () => {
    const { absentSince: _absent, heardAt: _heardAt, ...copy } = aCopy();
    const older = { ...aPlacedState(), copies: { 'site-1': copy } };
    const read = readState(JSON.parse(JSON.stringify(older)), 'capp/apps/app');
    expect(read?.copies['site-1']).toEqual({ ...copy, absentSince: null, heardAt: 0 });
  });

  test.each<[string, object]>([
    ['no copies', { copies: null }],
    ['a copy that is none', { copies: { 'site-1': null } }],
    ['a site that is no name', { serving: 7 }],
    ['a list that is none', { due: 'spec' }],
    ['a count that is none', { ringsHeard: '7' }],
    ['another version', { version: 2 }],
  ])('anew, by its name alone, with %s', (_name, plain) => {
    expect(readState({ ...aPlacedState(), ...plain }, 'capp/apps/app')).toEqual({
      ...initialState({ ...CAPP, uid: '' }),
      unreadable: 1,
    });
  });

  test('of a site with the inventories that an earlier version left waiting', () => {
    const inventory = { entries: [], after: null, upTo: null };
    const ours = readSite({ cluster: 'site-1', inventories: [inventory, 'odd'] }, 'site/site-1');
    expect(ours).toMatchObject({ inventories: [inventory] });
    expect(readSite({ cluster: 'site-1', audits: [inventory, 'odd'] }, 'site/site-1')).toEqual(ours);
  });

  test.each(NOTHING.map((given, index) => [index, given] as const))(
    'anew, by its name alone, with nothing (%#)',
    (_index, given) => {
      expect(readState(given, 'capp/apps/app')?.capp).toEqual({ ...CAPP, uid: '' });
      expect(readState(given, 'nobody')).toBeNull();
      expect(readSite(given, 'site/site-1')).toEqual({
        version: 1,
        cluster: 'site-1',
        inventories: [],
        unreadable: 0,
      });
      expect(readSite(given, 'nobody')).toBeNull();
      expect(readSite(given, 'site/Not_A_Name')).toBeNull();
      expect(() => readScoreOrder(given)).toThrow('"cluster" must be the name of a site');
    },
  );

  // A second workflow of one Capp would ship and remove beside the first.
  test.each(['nobody', 'capp/apps/app/more', 'capp/Apps/app', 'site/site-1', 'capp//app'])(
    'not under %s, which is the id of no Capp, whatever it is given',
    (id) => {
      expect(readState(aPlacedState(), id)).toBeNull();
    },
  );

  test('not of a site under an id that names none, whatever it is given', () => {
    expect(readSite({ cluster: 'site-1', inventories: [] }, 'sites/site-1')).toBeNull();
  });
});
