import { z } from 'zod';
import { COMMON, readConfig } from '../../../workers/process/config.ts';

const shape = {
  ...COMMON,
  ADDRESS: z.url().describe('the address of the server, such as https://example.com'),
};

describe('the settings of a process', () => {
  it('have defaults, and take an empty variable for an absent one', () => {
    expect(readConfig(COMMON, { LOG_LEVEL: '', HEALTH_ADDRESS: '127.0.0.1:1' })).toEqual({
      LOG_LEVEL: 'info',
      HEALTH_ADDRESS: '127.0.0.1:1',
    });
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
  ])('are refused by name and with a remedy when one is $title', ({ env, message }) => {
    expect(() => readConfig(shape, env)).toThrow(message);
  });

  it('never repeat a value that was refused', () => {
    expect(() => readConfig(shape, { ADDRESS: 'hunter2' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
