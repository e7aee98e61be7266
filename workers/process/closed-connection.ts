// What becomes of a call to Temporal that waits for its next try while its connection is closed.
import {
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { Metadata, status, type Interceptor, type InterceptingListener } from '@grpc/grpc-js';

type Call = ReturnType<Parameters<Interceptor>[1]>;

const DETAILS = 'The connection to Temporal was closed before this try.';
/** The words of `@grpc/grpc-js` for a try on a closed channel. */
const SHUT = 'Channel has been shut down';

/**
 * The SDK's retries, of which one on a closed connection ends the call as cancelled. By itself it throws,
 * after the first in a timer, which ends the process in the middle of its stop.
 */
export function untilClosed(): NonNullable<ConnectionOptions['interceptors']> {
  const endOnClosed: Interceptor = (options, nextCall) => {
    try {
      return nextCall(options) as ReturnType<Interceptor>;
    } catch (error) {
      if (!String(error).includes(SHUT)) throw error;
      return ended as unknown as ReturnType<Interceptor>;
    }
  };
  return [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endOnClosed];
}

const nothing = (): void => undefined;

const ended: Call = {
  start: (_: Metadata, listener?: Partial<InterceptingListener>) => {
    // The SDK's retries hand on the message of the last try, also where there is none.
    listener?.onReceiveMessage?.(null);
    listener?.onReceiveStatus?.({ code: status.CANCELLED, details: DETAILS, metadata: new Metadata() });
  },
  sendMessage: nothing,
  sendMessageWithContext: nothing,
  startRead: nothing,
  halfClose: nothing,
  cancelWithStatus: nothing,
  getPeer: () => '',
  getAuthContext: () => null,
};
