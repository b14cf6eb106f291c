// A question with its answer box or its choices, then what became of the guess.

function make(tag, attributes, parent) {
  const node = Object.assign(document.createElement(tag), attributes);
  parent.append(node);
  return node;
}

function choices(model, form) {
  const group = make("div", { role: "radiogroup", ariaLabel: model.get("question") }, form);
  model.get("choices").forEach(([value, words]) => {
    const label = make("label", { className: "dlp-quiz-choice" }, group);
    make("input", { type: "radio", name: "guess", value }, label);
    label.append(` ${words}`);
  });
  return () => group.querySelector(":checked")?.value ?? "";
}

function entry(model, form) {
  const box = make("input", { type: "text", ariaLabel: model.get("question"), placeholder: model.get("hint") }, form);
  // A notebook takes keys for itself unless they stop here.
  box.addEventListener("keydown", (event) => event.stopPropagation());
  return () => box.value;
}

export default {
  initialize: listening,
  render({ model, el }) {
    el.classList.add("dlp-quiz");
    const show = () => {
      el.replaceChildren();
      const words = model.get("words");
      make("b", { textContent: words.title }, el);
      make("p", { textContent: model.get("question"), className: "dlp-quiz-question" }, el);
      if (model.get("result")) {
        const mark = model.get("right") ? "✓" : "✗";
        make("p", { textContent: `${mark} ${model.get("result")}`, role: "status" }, el);
        const next = make("button", { type: "button", className: "dlp-button", textContent: words.next }, el);
        next.addEventListener("click", () => model.send({ next: true }));
        return;
      }
      const form = make("form", {}, el);
      const read = model.get("choices").length ? choices(model, form) : entry(model, form);
      make("button", { type: "submit", className: "dlp-button", textContent: words.commit }, form);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        event.stopPropagation();
        if (read()) model.send({ guess: read() });
      });
    };
    model.on("change:question change:choices change:result", show);
    show();
    return () => model.off("change:question change:choices change:result", show);
  },
};
