// A tenant reads what an app writes on the stack of `make up`, by the reader: through a move by hand no line
// is lost that the app wrote once its new Pod was ready, and none is told twice.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../cli/program.ts';
import { RBAC_GROUP, ROLE_BINDING } from '../../../crds/kubernetes/core.ts';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { appHost } from '../../../deploy/local/kubernetes/knative.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import { newNamespace, readyCapp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';

/** Between two requests, as of a visitor. */
const EVERY_MS = 20;
const WAIT = { withinMs: 180_000, everyMs: 100 };

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'logs');
  for (const name of ['cappstan-capp-edit', 'cappstan-capp-view', 'cappstan-log-view'])
    await stack.hub.create(ROLE_BINDING, {
      metadata: { namespace, name },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', apiGroup: RBAC_GROUP, name: 'tenant' }],
    } as never);
});
afterAll(() => stack?.close());

/** As the stack's administrator if `user` is empty. */
function start(user: string, ...words: string[]) {
  const { terminal, out, notes } = aTerminal();
  const as = user === '' ? [] : ['--as', user];
  const flags = ['--kubeconfig', stack.layout.kubeconfig('hub'), '--request-timeout', '60', ...as];
  const interruption = new AbortController();
  const ended = run(
    { args: [...words, ...flags, '-n', namespace], name: 'kubectl capp', version: '0' },
    { ...terminal, interrupted: interruption.signal },
  );
  return { out, notes, ended, interrupt: () => interruption.abort() };
}
async function done(user: string, ...words: string[]) {
  const { out, notes, ended } = start(user, ...words);
  return { code: await ended, out: out.join('\n'), err: notes.join('\n') };
}

/** Asks the app on a site again and again, and returns the lines that it has written of that by then. */
function asking(site: string, name: string): { lines: () => string[]; stop: () => Promise<string[]> } {
  const written: string[] = [];
  const over = new AbortController();
  const loop = (async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const path = `/${site}/${number}`;
      const at = { host: ingressHost(site), port: stack.ingressPort };
      const { status } = await askApp(at, appHost({ namespace, name }, site), 30_000, path);
      if (status === 200) written.push(`${site} | GET ${path}`);
      await pause(EVERY_MS);
    }
  })();
  return {
    lines: () => [...written],
    stop: async () => {
      over.abort();
      await loop;
      return written;
    },
  };
}

const asked = (lines: readonly string[], site: string): string[] =>
  lines.filter((line) => line.startsWith(`${site} | GET `));

test('logs -f goes through a move by hand without a lost or a second line, and pods and top show where it is', async () => {
  const { home } = await readyCapp(stack.hub, { namespace, name: 'shop' });
  const away = otherSite(stack, home);
  // The API server has found the reader, and OCM has brought its rights to the sites.
  await eventually(async () => {
    const { code, out, err } = await done('tenant', 'pods', 'shop');
    if (code === 0 && err === '' && out.includes(home)) return true;
    throw new Error(`pods ended with ${code}: ${out} ${err}`);
  }, WAIT);

  const followed = start('tenant', 'logs', 'shop', '-f');
  const [before, after] = [asking(home, 'shop'), asking(away, 'shop')];
  await eventually(async () => (asked(followed.out, home).length > 20 ? true : undefined), WAIT);
  const untilTheMove = before.lines();
  const move = await done('tenant', 'move', 'shop', away, '--wait');
  expect(move).toMatchObject({ code: 0, out: expect.stringContaining(away) });
  await eventually(async () => (asked(followed.out, away).length > 50 ? true : undefined), WAIT);
  const [old, wanted] = [await before.stop(), await after.stop()];
  await eventually(async () => (followed.out.includes(wanted.at(-1) ?? '') ? true : undefined), WAIT);

  expect(asked(followed.out, away)).toEqual(wanted);
  const told = asked(followed.out, home);
  expect(told).toEqual(old.filter((line) => told.includes(line)));
  // The first of them were before anybody followed, and are told all the same.
  expect(told.slice(0, untilTheMove.length)).toEqual(untilTheMove);
  expect(followed.notes).toEqual([]);
  followed.interrupt();
  expect(await followed.ended).toBe(0);

  expect(await done('tenant', 'pods', 'shop')).toMatchObject({ code: 0, out: expect.stringContaining(away) });
  expect(await done('tenant', 'top', 'shop')).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(new RegExp(`${away}\\s+\\S+\\s+\\d+m\\s+\\d+Mi`)),
  });
}, 400_000);

test('an operator reads it too, and a stranger is told what is missing', async () => {
  const operator = await done('', 'logs', 'shop', '--tail', '3');
  expect(operator.code).toBe(0);
  expect(operator.out.split('\n')).toHaveLength(3);
  const stranger = await done('stranger', 'logs', 'shop');
  expect(stranger).toMatchObject({ code: 4, err: expect.stringContaining('may not') });
});
