// anywidget gives a widget's script two seconds. Where a busy page takes longer, it passes on nothing that Python
// says to that widget, ever. Then the widget hears it from here, and asks for what it has missed.

export function listening({ model }) {
  model.on("change:_listening", hear); // the event brings the model itself
  model.set("_listening", true);
  model.off("change:_listening", hear);
  model.set("_listening", undefined); // nothing that would be saved
}

function hear(own) {
  // A message that says nothing: refused where none is passed on.
  Promise.resolve(own?._handle_comm_msg?.({ content: { data: {} } })).catch(() => {
    const { _handle_comm_msg: take } = Object.getPrototypeOf(own.constructor.prototype);
    own.comm?.on_msg((message) => take.call(own, message)); // a saved page has no kernel to hear
    own.comm?.send({ method: "request_state" });
  });
}

