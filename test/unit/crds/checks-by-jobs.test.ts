// Which Jobs may check a Bundle, and for how long; the API server's own sentences are in
// test/activity/hub/bundle/checks.test.ts.
import { isByJob, jobSecondsOf, StageCheck } from '../../../crds/verification/job.ts';

const pod = { spec: { restartPolicy: 'Never', containers: [{ name: 'curl', image: 'curl:1' }] } };
const check = (more: object = {}, spec: object = {}) => ({
  name: 'smoke',
  job: { template: { spec: { template: pod, ...spec } } },
  ...more,
});
const secondsOf = (given: object): number => {
  const read = StageCheck.parse(given);
  if (!isByJob(read)) throw new Error('it is no Job');
  return jobSecondsOf(read);
};

test('a Job has five minutes, or what its check gives it, or less where its template asks for that', () => {
  expect(secondsOf(check())).toBe(300);
  expect(secondsOf(check({ timeoutSeconds: 900 }))).toBe(900);
  expect(secondsOf(check({ timeoutSeconds: 60 }, { activeDeadlineSeconds: 20 }))).toBe(20);
  expect(secondsOf(check({ timeoutSeconds: 60 }, { activeDeadlineSeconds: 4_000 }))).toBe(60);
});

test('what the template says of the Pod stays as it is', () => {
  const { job } = StageCheck.parse(check({}, { backoffLimit: 2 }));
  expect(job?.template.spec).toEqual({ template: pod, backoffLimit: 2 });
});

test.each<[string, object, RegExp]>([
  ['two ways', { http: { path: '/' } }, /exactly one of http, prometheus and job/],
  ['a time of its measurements', { count: 9 }, /a Job runs once/],
  ['limits of measurements', { inconclusiveLimit: 3 }, /a Job runs once/],
  ['no time at all', { timeoutSeconds: 0 }, /whole number from 1 to 3600, such as 300/],
])('a check with %s is refused', (_what, more, says) => {
  expect(JSON.stringify(StageCheck.safeParse(check(more)).error?.issues)).toMatch(says);
});

test('a check without a way is refused', () => {
  expect(StageCheck.safeParse({ name: 'smoke' }).error?.issues).toMatchObject([
    { message: expect.stringMatching(/exactly one of http, prometheus and job/) },
  ]);
});

test('a time belongs to a Job alone', () => {
  const timed = { name: 'answers', http: { path: '/' }, timeoutSeconds: 5 };
  expect(StageCheck.safeParse(timed).error?.issues).toMatchObject([{ path: ['timeoutSeconds'] }]);
});
