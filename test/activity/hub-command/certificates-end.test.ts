// A running hub whose certificates end while it is asked: what its sites and its own API server see of them.
import { agentOf, letIn } from '../../support/servers/hub-command/gateway-door.ts';
import {
  gatewayAboutToEnd,
  gatewayAskedUntil,
  webhookAskedAtTheEnd,
} from '../../support/servers/hub-command/later-certificates.ts';
import { startHub, type HubStarted } from '../../support/servers/hub-command/started-hub.ts';

let hub: HubStarted;
beforeAll(async () => {
  hub = await startHub();
}, 600_000);
afterAll(async () => {
  await hub?.kube.close();
  await hub?.remove();
}, 120_000);

test('gateway and OCM’s webhook are never silent for five seconds while their certificates end, and no process is another', async () => {
  const end = await gatewayAboutToEnd(hub);
  const agent = await agentOf(hub, 'shop-9');
  await letIn(hub, agent);
  const pids = (): Promise<number[]> =>
    Promise.all(['gateway', 'ocm-webhook'].map((name) => hub.pidOf(name)));
  const before = await pids();
  const [gateway, webhook] = await Promise.all([
    gatewayAskedUntil(end, hub, agent),
    webhookAskedAtTheEnd(hub),
  ]);
  expect(gateway.ended).toBe(1);
  expect(gateway.longest).toBeLessThan(5_000);
  expect(webhook.ended).toBeGreaterThan(1);
  expect(webhook.longest).toBeLessThan(5_000);
  expect(await pids()).toEqual(before);
}, 600_000);
