// How a process reads its settings from environment variables.
import { z } from 'zod';
import { COMMON, readConfig } from '../../../workers/process/config.ts';

const shape = {
  ...COMMON,
  ADDRESS: z.url().describe('the address of the server, such as https://example.com'),
};

describe('the settings of a process', () => {
  it('have defaults, and an empty variable counts as absent', () => {
    expect(readConfig(COMMON, { LOG_LEVEL: '', HEALTH_ADDRESS: '127.0.0.1:1' })).toEqual({
      LOG_LEVEL: 'info',
      HEALTH_ADDRESS: '127.0.0.1:1',
    });
  });

  it('have the defaults of whoever installed the process, where its own variable is empty', () => {
    const env = { LOG_LEVEL: '', DEFAULT_LOG_LEVEL: 'warn', DEFAULT_HEALTH_ADDRESS: '127.0.0.1:1' };
    expect(readConfig(COMMON, env)).toEqual({ LOG_LEVEL: 'warn', HEALTH_ADDRESS: '127.0.0.1:1' });
    expect(readConfig(COMMON, { ...env, LOG_LEVEL: 'debug' })).toMatchObject({ LOG_LEVEL: 'debug' });
  });

  it.each([
    {
      title: 'absent',
      env: {},
      message: 'ADDRESS is not set: set it to the address of the server, such as https://example.com',
    },
    {
      title: 'wrong',
      env: { ADDRESS: 'hunter2' },
      message: 'ADDRESS has an invalid value: set it to the address of the server, such as',
    },
    {
      title: 'one of two wrong ones',
      env: { ADDRESS: 'https://a', LOG_LEVEL: 'loud' },
      message: 'LOG_LEVEL has an invalid value',
    },
  ])('are refused with the name of the variable and a remedy when one is $title', ({ env, message }) => {
    expect(() => readConfig(shape, env)).toThrow(message);
  });

  it('are refused without quoting the invalid value', () => {
    expect(() => readConfig(shape, { ADDRESS: 'hunter2' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
