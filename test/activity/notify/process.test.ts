// The process itself, as the chart starts it: killed between sending and writing that down, it sends the same
// message again, with the same id and body. Its log and its metrics have nothing of a Secret.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { eventually } from '../../../testbed/eventually.ts';
import {
  CANARY,
  condition,
  KEY,
  NOTIFIER_USER,
  startNotifierTestbed,
  type NotifierTestbed,
} from '../../support/testbeds/notify/notifier.ts';

let bed: NotifierTestbed;
const children: ChildProcess[] = [];
let log = '';
let start: () => Promise<ChildProcess>;
let metrics = '';
beforeAll(async () => {
  bed = await startNotifierTestbed();
  const dir = dirname(bed.cluster.kubeconfig);
  const authorities = join(dir, 'receivers.crt');
  await writeFile(authorities, bed.receiver.authority);
  const ports = await openPorts(join(dir, 'ports.json'));
  const [health, measured] = [await ports.of('notifier'), await ports.of('notifier-metrics')];
  metrics = `http://127.0.0.1:${measured}/metrics`;
  const env = {
    ...process.env,
    KUBECONFIG: await bed.cluster.kubeconfigAs(NOTIFIER_USER, []),
    NAMESPACE: RELEASE_NAMESPACE,
    AUTHORITIES_FILE: authorities,
    LOG_LEVEL: 'debug',
    HEALTH_ADDRESS: `127.0.0.1:${health}`,
    METRICS_ADDRESS: `127.0.0.1:${measured}`,
  };
  start = async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../../workers/notifier/main.ts')], {
      env,
    });
    children.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => void (log += text.toString()));
    await eventually(async () => ((await fetch(`http://127.0.0.1:${health}/healthz`)).ok ? true : undefined));
    return child;
  };
}, 300_000);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await bed?.stop();
});

const gone = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(null);
    else child.once('exit', resolve);
  });

test('killed between send and record, it repeats the message with its id and its body', async () => {
  const { port } = bed.receiver;
  await bed.namespace('team-a');
  await bed.bind('team-a');
  await bed.list([{ host: 'localhost', port, privateAddresses: ['127.0.0.1/32'] }]);
  await bed.secret('team-a', {
    'chat.url': `https://localhost:${port}/hook?${CANARY}`,
    'chat.key': `whsec_${KEY.toString('base64')}`,
  });
  await bed.notify('team-a', 'chat');
  const first = await start();
  await bed.reason({ namespace: 'team-a', name: 'chat' }, 'Delivered', 'Accepted');
  const before = bed.at('/hook').length;
  // It has read the message, and will never say so.
  bed.receiver.behave('hang');
  await bed.capp('team-a', 'shop', { conditions: [condition('Stalled', 'True', 'DeadlinePassed')] });
  const sent = await eventually(() => bed.at('/hook')[before]);
  first.kill('SIGKILL');
  await gone(first);
  bed.receiver.behave(200);
  const second = await start();
  const again = await eventually(() => bed.at('/hook')[before + 1]);
  expect(again.body).toBe(sent.body);
  expect(again.headers['webhook-id']).toBe(sent.headers['webhook-id']);
  expect(JSON.parse(again.body)).toMatchObject({ data: { topic: 'AppStuck', name: 'shop' } });
  await bed.reason({ namespace: 'team-a', name: 'chat' }, 'Delivered', 'Accepted');
  await eventually(async () => ((await bed.read('team-a', 'chat')).status?.waiting === 0 ? true : undefined));
  const text = await (await fetch(metrics)).text();
  expect(text).toContain('cappstan_notifications_total{result="delivered"} 1');
  expect(text).toContain('cappstan_notifications_waiting 0');
  second.kill('SIGTERM');
  await gone(second);
  expect(second.exitCode).toBe(0);
  expect(bed.at('/hook')).toHaveLength(before + 2);
  expect(`${log}${text}`).not.toMatch(
    new RegExp(`${CANARY}|localhost:${port}|${KEY.toString('base64').slice(0, 20)}`),
  );
  expect(log).toContain('telling people what they must know');
});
