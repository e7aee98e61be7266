// What our processes ask Temporal about task queues, and how it reads the answers.
import { backlogOf, pollersOf, type Service } from '../../../temporal/task-queues.ts';

function answering(answer: object) {
  const asked: object[] = [];
  const describeTaskQueue = async (request: object) => {
    asked.push(request);
    return answer;
  };
  const service = { options: { namespace: 'n' }, connection: { workflowService: { describeTaskQueue } } };
  return { asked, service: service as unknown as Service };
}

test('activities and workflow tasks of a queue are asked about by the numbers that Temporal has for them', async () => {
  const { asked, service } = answering({});
  expect(await pollersOf(service, { name: 'site/paris', tasks: 'Activity' })).toEqual([]);
  expect(await backlogOf(service, { name: 'hub', tasks: 'Workflow' })).toBeNull();
  expect(asked).toEqual([
    { namespace: 'n', taskQueue: { name: 'site/paris' }, taskQueueType: 2 },
    { namespace: 'n', taskQueue: { name: 'hub' }, taskQueueType: 1, reportStats: true },
  ]);
});

test('a poller has its build, and its last poll in milliseconds; one without a build has an empty name', async () => {
  const pollers = [
    { deploymentOptions: { buildId: '1.2-3' }, lastAccessTime: { seconds: '5' } },
    { deploymentOptions: null, lastAccessTime: { seconds: 7 } },
  ];
  expect(await pollersOf(answering({ pollers }).service, { name: 'hub', tasks: 'Workflow' })).toEqual([
    { build: '1.2-3', polledAt: 5_000 },
    { build: '', polledAt: 7_000 },
  ]);
});

test('a backlog is in milliseconds, and 0 where nothing waits', async () => {
  const hub = { name: 'hub', tasks: 'Workflow' } as const;
  const aged = { stats: { approximateBacklogAge: { seconds: '2', nanos: 500_000_000 } } };
  expect(await backlogOf(answering(aged).service, hub)).toBe(2_500);
  expect(await backlogOf(answering({ stats: {} }).service, hub)).toBe(0);
});
