// Workflows of sites and drains whose task keeps failing: the bridge reports each once, with the command that
// terminates it.
import type { Client } from '@temporalio/client';
import { othersWatch } from '../../../../bridge/failing/failing-others.ts';

function stage(reported: Record<string, number>) {
  const told: (readonly string[])[] = [];
  const queries: string[] = [];
  async function* list({ query }: { query: string }) {
    queries.push(query);
    for (const workflowId of Object.keys(reported)) yield await Promise.resolve({ workflowId });
  }
  const describe = async (id: string) => ({
    runId: 'run',
    raw: { pendingWorkflowTask: { attempt: reported[id] } },
  });
  const workflow = { list, getHandle: (id: string) => ({ describe: () => describe(id) }) };
  const look = othersWatch(
    { workflow } as unknown as Pick<Client, 'workflow'>,
    (commands) => void told.push(commands),
  );
  return { look, told, queries };
}

test('failing workflows of drains and sites are reported with the commands that terminate them, once per change of the list', async () => {
  const reported: Record<string, number> = { 'turns/site-1': 5, 'site/site-2': 4, 'turns/site-3': 1 };
  const { look, told, queries } = stage(reported);
  await look();
  await look();
  expect(queries[0]).toContain("WorkflowType IN ('fleet', 'turns', 'site')");
  expect(told).toEqual([
    ['temporal workflow terminate -w site/site-2', 'temporal workflow terminate -w turns/site-1'],
  ]);
  delete reported['site/site-2'];
  await look();
  delete reported['turns/site-1'];
  await look();
  expect(told.slice(1)).toEqual([['temporal workflow terminate -w turns/site-1'], []]);
});

test('nothing is reported while no workflow fails, and workflow ids are quoted for the shell', async () => {
  const well = stage({ 'turns/site-1': 1 });
  await well.look();
  expect(well.told).toEqual([]);
  const odd = stage({ "site/it's; true": 9 });
  await odd.look();
  expect(odd.told).toEqual([[String.raw`temporal workflow terminate -w 'site/it'\''s; true'`]]);
});
