// Buttons in a row. Python hears which was pressed; "copy" is done here, as only the page has a clipboard.

const COPIED_MS = 1500;

function button(described, press) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = "dlp-button";
  node.dataset.key = described.key;
  node.textContent = described.label;
  node.title = described.title;
  node.disabled = Boolean(described.disabled);
  if ("pressed" in described) node.setAttribute("aria-pressed", String(described.pressed));
  node.addEventListener("click", () => press(described.key, node));
  return node;
}

async function copy(model, node) {
  const label = node.textContent;
  await navigator.clipboard?.writeText(model.get("text"));
  node.textContent = `✓ ${label}`;
  setTimeout(() => (node.textContent = label), COPIED_MS);
}

// Undo and redo work from everywhere in the explorer but from a text that is being typed.
function shortcut(event) {
  const typing = event.target.matches?.("input[type=text], textarea");
  if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return null;
  return event.shiftKey ? "redo" : "undo";
}

export default {
  initialize: listening,
  render({ model, el }) {
    el.classList.add("dlp-toolbar");
    el.setAttribute("role", "toolbar");
    el.setAttribute("aria-label", model.get("name"));
    const press = (key, node) => {
      if (key === "copy") copy(model, node);
      model.send({ pressed: key });
    };
    const show = () => {
      const focused = el.contains(document.activeElement) && document.activeElement.dataset.key;
      el.replaceChildren(...model.get("buttons").map((each) => button(each, press)));
      if (focused) el.querySelector(`[data-key="${focused}"]`)?.focus();
    };
    let root = null;
    const listen = (event) => {
      const key = shortcut(event);
      if (!key) return;
      event.preventDefault();
      event.stopPropagation();
      press(key);
    };
    const attach = requestAnimationFrame(() => {
      root = el.closest(".dlp-explorer");
      root?.addEventListener("keydown", listen);
    });
    model.on("change:buttons", show);
    show();
    return () => {
      cancelAnimationFrame(attach);
      root?.removeEventListener("keydown", listen);
      model.off("change:buttons", show);
    };
  },
};
