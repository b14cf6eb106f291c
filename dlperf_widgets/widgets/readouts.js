// Numbers with their names; a click asks Python why. Only texts that differ are written.

export default {
  initialize: listening,
  render({ model, el }) {
    el.classList.add("dlp-readouts");
    let keys = "";
    const make = (numbers) =>
      numbers.map(([key, label]) => {
        const node = document.createElement("button");
        node.type = "button";
        node.className = "dlp-readout";
        node.title = model.get("hint");
        const name = document.createElement("span");
        name.textContent = `${label} `;
        node.append(name, document.createElement("b"));
        node.addEventListener("click", () => model.send({ asked: key }));
        return node;
      });
    const show = () => {
      const numbers = model.get("numbers");
      const now = JSON.stringify(numbers.map(([key, label]) => [key, label]));
      if (now !== keys) el.replaceChildren(...make(numbers));
      keys = now;
      numbers.forEach(([, , text], index) => {
        const place = el.children[index].lastChild;
        if (place.textContent !== text) place.textContent = text;
      });
    };
    model.on("change:numbers", show);
    show();
    return () => model.off("change:numbers", show);
  },
};
