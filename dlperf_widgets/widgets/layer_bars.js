// Charts of bars over the same layers. Shapes are made once for a set of series; then only paths are written.

const LEFT = 60;
const RIGHT = 8;
const HEIGHT = 88;
const TOP = 8;
const NAMESPACE = "http://www.w3.org/2000/svg";

function svgNode(tag, attributes, parent) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

function node(tag, className, text, parent) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}

function bars(series, width) {
  const wide = (width - LEFT - RIGHT) / Math.max(series.top.length, 1);
  const place = (share) => (TOP + (1 - share) * HEIGHT).toFixed(1);
  return series.top
    .map((top, index) => {
      if (top <= series.base[index]) return "";
      const left = (LEFT + (index + 0.1) * wide).toFixed(1);
      return `M${left} ${place(series.base[index])}V${place(top)}h${(0.8 * wide).toFixed(1)}V${place(series.base[index])}z`;
    })
    .join("");
}

function panel(described, parent) {
  const box = node("div", "dlp-bars-panel", "", parent);
  const heading = node("div", "dlp-bars-label", "", box);
  const picture = svgNode("svg", { height: TOP + HEIGHT + 4, width: "100%", "aria-hidden": "true" }, box);
  const band = svgNode("rect", { class: "dlp-bars-band", y: TOP, height: HEIGHT }, picture);
  const chosen = svgNode("rect", { class: "dlp-bars-chosen", y: TOP, height: HEIGHT }, picture);
  const ticks = described.ticks.map(() => ({
    line: svgNode("line", { class: "dlp-bars-line", x1: LEFT }, picture),
    text: svgNode("text", { class: "dlp-bars-tick", x: LEFT - 6, "text-anchor": "end" }, picture),
  }));
  const paths = described.series.map((series) => {
    return svgNode("path", { style: `fill:var(--dlp-${series.role})` }, picture);
  });
  return { heading, picture, band, chosen, ticks, paths };
}

function key(node_, series) {
  const swatch = `<svg width="16" height="12" aria-hidden="true"><rect width="16" height="12" style="fill:var(--dlp-${series.role})"/></svg>`;
  const item = document.createElement("span");
  item.className = "dlp-bars-key";
  item.innerHTML = swatch;
  item.append(series.name);
  node_.append(item);
}

export default {
  initialize: listening,
  render({ model, el }) {
    el.classList.add("dlp-bars");
    const box = node("div", "dlp-bars-box", "", el);
    const note = node("div", "dlp-bars-note", "", el);
    note.setAttribute("role", "status");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    let data = { panels: [], notes: [] };
    let made = [];
    let shape = "";
    let pointed = -1;
    let width = 0;

    const count = () => data.notes.length;
    const column = (index) => {
      const wide = (width - LEFT - RIGHT) / Math.max(count(), 1);
      return index < 0 ? { x: 0, width: 0 } : { x: LEFT + index * wide, width: wide };
    };
    const mark = () => {
      for (const each of made) {
        for (const [rect, index] of [[each.band, pointed], [each.chosen, model.get("chosen")]]) {
          const { x, width: wide } = column(index);
          rect.setAttribute("x", x);
          rect.setAttribute("width", wide);
        }
      }
      note.textContent = data.notes[pointed] ?? model.get("words").hint;
    };
    const draw = () => {
      const { panels } = data;
      const now = JSON.stringify(panels.map((each) => each.series.map(({ role }) => role)));
      if (now !== shape) {
        box.replaceChildren();
        made = panels.map((each) => panel(each, box));
        node("div", "dlp-bars-axis", model.get("words").axis, box);
        shape = now;
        panels.forEach((each, index) => {
          made[index].heading.dataset.label = "";
          if (each.series.length > 1) {
            const keys = node("span", "dlp-bars-keys", "", made[index].heading);
            each.series.forEach((series) => key(keys, series));
          }
        });
      }
      panels.forEach((each, index) => {
        const { heading, ticks, paths } = made[index];
        if (heading.dataset.label !== each.label) {
          const keys = heading.querySelector(".dlp-bars-keys");
          heading.replaceChildren(document.createTextNode(each.label), ...(keys ? [keys] : []));
          heading.dataset.label = each.label;
        }
        each.ticks.forEach(([share, label], at) => {
          const y = TOP + (1 - share) * HEIGHT;
          const { line, text } = ticks[at];
          line.setAttribute("x2", Math.max(width - RIGHT, LEFT));
          for (const side of ["y1", "y2"]) line.setAttribute(side, y);
          text.setAttribute("y", y + 4);
          if (text.textContent !== label) text.textContent = label;
        });
        each.series.forEach((series, at) => paths[at].setAttribute("d", bars(series, width)));
      });
      box.setAttribute("aria-label", model.get("alt"));
      pointed = Math.min(pointed, count() - 1);
      mark();
    };
    const read = () => {
      data = { panels: [], notes: [], ...JSON.parse(model.get("data")) };
      draw();
    };
    const point = (index) => {
      pointed = index;
      mark();
    };
    const under = (event) => {
      const across = event.clientX - box.getBoundingClientRect().left - LEFT;
      const index = Math.floor((across / (width - LEFT - RIGHT)) * count());
      return index >= 0 && index < count() ? index : -1;
    };
    const open = (index) => {
      if (index >= 0) model.send({ opened: index });
    };
    box.addEventListener("pointermove", (event) => point(under(event)));
    box.addEventListener("pointerleave", () => point(-1));
    box.addEventListener("click", (event) => open(under(event)));
    box.addEventListener("keydown", (event) => {
      const last = count() - 1;
      const places = {
        ArrowRight: Math.min(pointed + 1, last),
        ArrowLeft: Math.max(pointed - 1, 0),
        Home: 0,
        End: last,
      };
      if (event.key in places) point(places[event.key]);
      else if (event.key === "Enter" || event.key === " ") open(pointed);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    // A hidden tab has no width: the picture is drawn when there is one.
    const watcher = new ResizeObserver(([entry]) => {
      if (entry.contentRect.width && entry.contentRect.width !== width) {
        width = entry.contentRect.width;
        draw();
      }
    });
    watcher.observe(box);
    model.on("change:data", read);
    model.on("change:chosen", mark);
    read();
    return () => {
      watcher.disconnect();
      model.off("change:data", read);
      model.off("change:chosen", mark);
    };
  },
};
