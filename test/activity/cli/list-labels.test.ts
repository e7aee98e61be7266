// `kubectl capp list -l`: labels select Capps, also while their changes are shown.
import { CAPP } from '../../../crds/capp/capp.ts';
import { pathOf } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';

let bed: CliTestbed;
beforeAll(async () => {
  bed = await cliTestbed();
  await bed.hub.make({ name: 'hello' });
  await bed.hub.make({ name: 'other' });
}, 300_000);
afterAll(() => bed?.stop());

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('list -l', () => {
  const label = (app: string | null) =>
    bed.hub.kube.patch(CAPP, { namespace: 'apps', name: 'hello' }, { metadata: { labels: { app } } });

  it('shows those with the labels, and says which labels none has', async () => {
    await label('shop');
    const { code, out } = await bed.run(['list', '-n', 'apps', '-l', 'app=shop']);
    expect({ code, names: lines(out).map((line) => line.split(' ')[0]) }).toEqual({
      code: 0,
      names: ['NAME', 'hello'],
    });
    expect(await bed.run(['list', '-n', 'apps', '-l', 'app=none'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('There are no Capps with labels app=none in namespace apps.'),
    });
  });

  it('refuses labels that are none, with -w as without', async () => {
    for (const flags of [[], ['-w']])
      expect(await bed.run(['list', '-n', 'apps', '-l', 'a b', ...flags])).toMatchObject({
        code: 1,
        out: '',
      });
  });

  it('says with -w that a Capp is selected no more, and that one was deleted', async () => {
    await label('shop');
    await bed.hub.make({ name: 'sold' });
    const key = { namespace: 'apps', name: 'sold' };
    await bed.hub.kube.patch(CAPP, key, { metadata: { labels: { app: 'shop' } } });
    const run = bed.start(['list', '-n', 'apps', '-w', '-l', 'app=shop', '-o', 'json']);
    const said = (): string[] =>
      lines(run.written())
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { name: string; phase: string })
        .map(({ name, phase }) => `${name} ${phase}`);
    const until = (line: string) =>
      eventually(async () => (said().includes(line) ? true : undefined), { withinMs: 30_000 });
    await until('hello New');
    await label(null);
    await until('hello Unselected');
    await bed.hub.kube.patch(CAPP, key, { metadata: { finalizers: null } });
    await bed.hub.kube.raw('DELETE', pathOf(CAPP, key));
    await until('sold Deleted');
    run.interrupt();
    expect(await run.ended).toMatchObject({ code: 0, err: '' });
    expect(said()).not.toContain('hello Deleted');
  });
});
