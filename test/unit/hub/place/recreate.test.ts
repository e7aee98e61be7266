// A first choice for a Capp that must not run twice: it waits where an earlier copy may still run.
import { chooser } from '../../../support/builders/chooser.ts';

describe('a first choice with Recreate', () => {
  const migration = { strategy: 'Recreate' };
  const waits = { outcome: 'None', reason: 'StillLeaving' };

  test('is marked isSole, so that the work is applied only after the choice is in history', async () => {
    expect(await chooser({ migration })()).toMatchObject({ outcome: 'Chosen', isSole: true });
    expect(await chooser({})()).not.toHaveProperty('isSole');
  });

  test('waits for a copy that is being deleted, whoever deleted it', async () => {
    const choice = await chooser({ migration, works: [{ cluster: 'site-1', leaving: true }] })();
    expect(choice).toMatchObject(waits);
    expect(await chooser({ migration })({ works: [{ cluster: 'site-1', leaving: true }] })).toMatchObject(
      waits,
    );
  });

  test('waits for an unreachable site that served the Capp, even if its work is gone from the hub', async () => {
    const choice = await chooser({
      migration,
      lost: ['site-1'],
      status: { migration: { serving: 'site-1' } },
    })();
    expect(choice).toMatchObject(waits);
    expect(choice).toMatchObject({
      message: expect.stringContaining('annotate capp app --overwrite rcs.dana.io/force='),
    });
  });

  test('no longer waits when a person forces a site', async () => {
    const annotations = { 'rcs.dana.io/force': 'site-2#1' };
    const left = { migration, annotations, works: [{ cluster: 'site-1', leaving: true }] };
    expect(await chooser(left)()).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
    const handled = { ...left, status: { migration: { handledForce: '1' } } };
    expect(await chooser(handled)()).toMatchObject(waits);
  });

  test('does not wait when the old site is reachable and has no work, or when the work on the site that served it is still in place', async () => {
    expect(await chooser({ migration, status: { migration: { serving: 'site-1' } } })()).toMatchObject({
      outcome: 'Chosen',
    });
    const there = [{ cluster: 'site-2' }, { cluster: 'site-1', leaving: true }];
    const status = { migration: { serving: 'site-2' } };
    expect(await chooser({ migration, works: there, status })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
  });

  test('waits for a copy that is being deleted although another site, which never served it, has got a work of its name', async () => {
    const claimed = [{ cluster: 'site-2' }, { cluster: 'site-1', leaving: true }];
    expect(await chooser({ migration, works: claimed })()).toMatchObject(waits);
    const status = { migration: { serving: 'site-1' } };
    expect(await chooser({ migration, works: claimed, status })()).toMatchObject(waits);
    expect(await chooser({ works: claimed })()).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
    const live = { works: [{ cluster: 'site-1', leaving: true }] };
    expect(await chooser({ migration, works: [{ cluster: 'site-2' }] })(live)).toMatchObject(waits);
  });

  test('waits for a work of its name on a site outside the decisions, and says how to delete that work', async () => {
    const left = { migration, works: [{ cluster: 'site-9' }] };
    const choice = await chooser(left)();
    expect(choice).toMatchObject(waits);
    const remedy = 'kubectl -n site-9 delete manifestwork mw-create-apps-app mw-create-';
    expect(choice).toMatchObject({ message: expect.stringContaining(remedy) });
    expect(await chooser({ migration })({ works: [{ cluster: 'site-9', leaving: false }] })).toMatchObject(
      waits,
    );
    const annotations = { 'rcs.dana.io/force': 'site-2#1' };
    expect(await chooser({ ...left, annotations })()).toMatchObject({ outcome: 'Chosen' });
  });

  test('takes the site of a work of its name, even if another Capp could have a work of that name', async () => {
    const works = [{ cluster: 'site-2', name: 'mw-create-apps-a-b' }];
    expect(await chooser({ migration, name: 'a-b', works })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
    expect(await chooser({ name: 'a-b', works })()).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
    const live = { works: [{ cluster: 'site-2', leaving: false }] };
    expect(await chooser({ migration, name: 'a-b' })(live)).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
  });

  describe('beside a Capp whose works have the same name', () => {
    const beside = { migration, name: 'a-b', works: [{ cluster: 'site-2', name: 'mw-create-apps-a-b' }] };

    test('takes the site of a work that may be its own', async () => {
      expect(await chooser({ ...beside, rivals: [{}] })()).toMatchObject({
        outcome: 'Chosen',
        cluster: 'site-2',
      });
    });

    test('waits for a work that may be its own on a site outside the decisions, or that is being deleted', async () => {
      expect(await chooser({ ...beside, rivals: [{}], decided: ['site-1'] })()).toMatchObject(waits);
      const going = [{ cluster: 'site-2', name: 'mw-create-apps-a-b', leaving: true }];
      expect(await chooser({ ...beside, rivals: [{}], works: going })()).toMatchObject(waits);
    });

    test('does not wait for a work of the other Capp', async () => {
      const rivals = [{ migration: { serving: 'site-2' } }];
      expect(await chooser({ ...beside, rivals, decided: ['site-1'] })()).toMatchObject({
        outcome: 'Chosen',
        cluster: 'site-1',
      });
    });
  });

  test('is not restricted in this way for a Capp without Recreate', async () => {
    expect(await chooser({ works: [{ cluster: 'site-1', leaving: true }] })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
  });
});
