// What a widget does when anywidget has given up waiting for its script.

import { listening } from '../../../dlperf_widgets/widgets/listening.js';

type Heard = (message: unknown) => void;

/** A model as anywidget makes it: it passes messages on once its script is there, unless that came too late. */
class Base {
  heard: unknown[] = [];
  _handle_comm_msg(message: unknown): Promise<void> {
    this.heard.push(message);
    return Promise.resolve();
  }
}

class Model extends Base {
  constructor(private ready: Promise<void>) {
    super();
  }
  override async _handle_comm_msg(message: unknown): Promise<void> {
    await this.ready;
    return super._handle_comm_msg(message);
  }
  sent: unknown[] = [];
  deliver: Heard = message => void this._handle_comm_msg(message);
  comm = {
    on_msg: (heard: Heard) => {
      this.deliver = heard;
    },
    send: (data: unknown) => this.sent.push(data)
  };
}

/** What a script is given of a model. */
function given(own: unknown): { model: unknown; values: unknown[] } {
  const values: unknown[] = [];
  let hear: ((model: unknown) => void) | undefined;
  const model = {
    on: (_: string, callback: typeof hear) => {
      hear = callback;
    },
    off: () => {
      hear = undefined;
    },
    set: (_: string, value: unknown) => {
      values.push(value);
      hear?.(own);
    }
  };
  return { model, values };
}

const settled = (): Promise<void> =>
  new Promise(resolve => setTimeout(resolve));

test('a script in time changes nothing', async () => {
  const own = new Model(Promise.resolve());
  const { deliver } = own;
  const { model, values } = given(own);
  listening({ model });
  await settled();
  expect(own.deliver).toBe(deliver);
  expect(own.sent).toEqual([]);
  expect(values).toEqual([true, undefined]);
});

test('a script too late hears what Python says, and asks for what it missed', async () => {
  const own = new Model(Promise.reject(new Error('too late')));
  listening({ model: given(own).model });
  await settled();
  expect(own.sent).toEqual([{ method: 'request_state' }]);
  own.deliver('later');
  expect(own.heard).toEqual(['later']);
});

test('a saved page has nobody to listen to', async () => {
  const own = new Model(Promise.reject(new Error('too late')));
  const failed = jest.fn();
  process.on('unhandledRejection', failed);
  listening({ model: given(Object.assign(own, { comm: undefined })).model });
  await settled();
  process.off('unhandledRejection', failed);
  expect(failed).not.toHaveBeenCalled();
});

test('a front end that works otherwise is left alone', async () => {
  listening({ model: given(undefined).model });
  listening({ model: given({}).model });
  await settled();
});
