// Measure, watch, cancel. What came of it is a sentence beside the buttons.

function make(tag, attributes, parent) {
  const node = Object.assign(document.createElement(tag), attributes);
  parent.append(node);
  return node;
}

export default {
  initialize: listening,
  render({ model, el }) {
    el.classList.add("dlp-measure");
    const words = model.get("words");
    const button = (key) => {
      const node = make("button", { type: "button", className: "dlp-button", textContent: words[key] }, el);
      node.addEventListener("click", () => model.send({ pressed: key }));
      return node;
    };
    const buttons = Object.fromEntries(["measure", "cancel", "refit", "clear"].map((key) => [key, button(key)]));
    const bar = make("progress", { max: 1, ariaLabel: words.progress }, el);
    const text = make("span", { role: "status" }, el);
    const show = () => {
      const running = model.get("running");
      const reason = model.get("reason");
      buttons.measure.hidden = running;
      buttons.measure.disabled = Boolean(reason);
      buttons.measure.title = reason;
      buttons.cancel.hidden = bar.hidden = !running;
      buttons.refit.hidden = running || !model.get("can_refit");
      buttons.clear.hidden = running || !model.get("result");
      bar.value = model.get("progress");
      text.textContent = running ? model.get("left") : model.get("result") || reason;
    };
    const changes = "change:running change:progress change:left change:reason change:result change:can_refit";
    model.on(changes, show);
    show();
    return () => model.off(changes, show);
  },
};
