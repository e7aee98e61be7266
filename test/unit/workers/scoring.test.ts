// How the agent reads its settings for a site's score.
import { readConfig } from '../../../workers/process/config.ts';
import { SCORING, scoringOf } from '../../../workers/agent/scoring.ts';

const read = (env: NodeJS.ProcessEnv) => scoringOf(readConfig(SCORING, env));

describe("the settings for a site's score", () => {
  it('count everything that the site has, and no custom scores, by default', () => {
    const bounds = { min: 0, max: null };
    expect(read({ MAX_CPU_COUNT: '' })).toEqual({
      bounds: { cpu: bounds, memory: bounds },
      extras: { configMap: null, url: null },
    });
  });

  it('are read from the environment', () => {
    const env = {
      MIN_CPU_COUNT: '2',
      MAX_CPU_COUNT: '64.5',
      MAX_MEMORY_BYTES: '1099511627776',
      SCORE_CONFIGMAP: 'ops/figures',
      SCORE_URL: 'http://meter.ops.svc:8080/v1?site=1',
    };
    expect(read(env)).toEqual({
      bounds: { cpu: { min: 2, max: 64.5 }, memory: { min: 0, max: 2 ** 40 } },
      extras: { configMap: { namespace: 'ops', name: 'figures' }, url: env.SCORE_URL },
    });
  });

  it.each([
    {
      env: { MAX_CPU_COUNT: 'many' },
      message: 'MAX_CPU_COUNT has an invalid value: set it to the free cores',
    },
    { env: { MIN_CPU_COUNT: '-1' }, message: 'MIN_CPU_COUNT has an invalid value' },
    {
      env: { MIN_CPU_COUNT: '4', MAX_CPU_COUNT: '4' },
      message: 'MAX_CPU_COUNT is not above MIN_CPU_COUNT: set it to more, or leave it empty',
    },
    { env: { MAX_MEMORY_BYTES: '0' }, message: 'MAX_MEMORY_BYTES is not above MIN_MEMORY_BYTES' },
    {
      env: { SCORE_CONFIGMAP: 'figures' },
      message: 'SCORE_CONFIGMAP has an invalid value: set it to namespace/name',
    },
    { env: { SCORE_URL: 'http://user:secret@meter' }, message: 'SCORE_URL has an invalid value' },
    { env: { SCORE_URL: 'file:///etc/passwd' }, message: 'SCORE_URL has an invalid value' },
  ])('are refused when invalid: $env', ({ env, message }) => expect(() => read(env)).toThrow(message));
});
