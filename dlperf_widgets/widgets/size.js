// One size of a layer: a name, a box to type in, the step of a drag, and a slider.
// The slider's places are even on a logarithmic scale; its keys step by the chosen multiple.

const PLACES = 1000;

const POWERS = 0; // the step that keeps to powers of two

function snapped(value, step, least) {
  if (step === POWERS) return Math.max(2 ** Math.round(Math.log2(Math.max(value, 1))), least);
  if (value < step) return Math.max(Math.round(value), least);
  return Math.max(Math.round(value / step) * step, least);
}

function scale(model) {
  const least = model.get("least");
  const most = Math.max(model.get("most"), model.get("value"));
  if (!model.get("logarithmic") || least < 1) {
    const span = most - least || 1;
    return {
      place: (value) => Math.round(((value - least) / span) * PLACES),
      value: (place) => least + (place / PLACES) * span,
    };
  }
  const span = Math.log(most / least) || 1;
  return {
    place: (value) => Math.round((Math.log(value / least) / span) * PLACES),
    value: (place) => least * Math.exp((place / PLACES) * span),
  };
}

function make(tag, attributes, parent) {
  const node = Object.assign(document.createElement(tag), attributes);
  parent.append(node);
  return node;
}

// Keys go to the next multiple of the step, below one step to the next number; pages double and halve.
function keyStep(key, value, step, least) {
  if (step === POWERS) {
    const power = Math.log2(Math.max(value, 1));
    if (["ArrowRight", "ArrowUp", "PageUp"].includes(key)) return 2 ** (Math.floor(power) + 1);
    if (["ArrowLeft", "ArrowDown", "PageDown"].includes(key)) return Math.max(2 ** (Math.ceil(power) - 1), least);
    return null;
  }
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return value < step ? value + 1 : (Math.floor(value / step) + 1) * step;
    case "ArrowLeft":
    case "ArrowDown":
      return value <= step ? value - 1 : (Math.ceil(value / step) - 1) * step;
    case "PageUp":
      return snapped(value * 2, step, least);
    case "PageDown":
      return snapped(value / 2, step, least);
    default:
      return null;
  }
}

function render({ model, el }) {
  el.classList.add("dlp-size");
  const label = model.get("label");
  const words = model.get("words");
  const heading = make("div", { className: "dlp-size-head" }, el);
  make("span", { textContent: label, className: "dlp-size-label" }, heading);
  const entry = make("input", { type: "text", inputMode: "numeric", ariaLabel: words.exactly }, heading);
  const step = make("select", { ariaLabel: words.multiples, title: words.step }, heading);
  for (const multiple of model.get("steps")) {
    make("option", { value: multiple, textContent: multiple === POWERS ? "2ⁿ" : `×${multiple}` }, step);
  }
  const slider = make("input", { type: "range", min: 0, max: PLACES, step: 1, ariaLabel: label }, el);

  const choose = (value) => {
    const whole = Math.min(Math.max(value, model.get("least")), model.get("limit"));
    model.set("value", whole);
    model.save_changes();
  };
  const byKey = (event) => {
    const value = keyStep(event.key, model.get("value"), model.get("step"), model.get("least"));
    if (value === null) return false;
    event.preventDefault();
    choose(value);
    return true;
  };
  slider.addEventListener("input", () => {
    choose(snapped(scale(model).value(Number(slider.value)), model.get("step"), model.get("least")));
  });
  slider.addEventListener("keydown", (event) => {
    if (byKey(event)) event.stopPropagation();
  });
  const shown = () => model.get("text") || String(model.get("value"));
  let sent = null; // a text is sent once: leaving the box after Enter must not send it again
  const send = () => {
    if (entry.value === sent || entry.value === shown()) return;
    sent = entry.value;
    model.send({ typed: sent });
  };
  entry.addEventListener("change", send);
  // A notebook takes Enter and arrows for itself unless they stop here.
  entry.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") send();
    else if (["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key)) byKey(event);
  });
  step.addEventListener("change", () => {
    model.set("step", Number(step.value));
    model.save_changes();
  });

  const show = () => {
    const value = model.get("value");
    const held = document.activeElement === slider && slider.matches(":active");
    if (!held) slider.value = scale(model).place(value);
    slider.setAttribute("aria-valuetext", String(value));
    entry.value = shown();
    sent = null;
    entry.removeAttribute("aria-invalid");
    step.value = String(model.get("step"));
  };
  const mark = (message) => {
    if (message.refused) entry.setAttribute("aria-invalid", "true");
    else show();
  };
  model.on("change:value change:text change:step change:most", show);
  model.on("msg:custom", mark);
  show();
  return () => {
    model.off("change:value change:text change:step change:most", show);
    model.off("msg:custom", mark);
  };
}

export default { initialize: listening, render };
