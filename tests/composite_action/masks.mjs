// Values that the log, annotations and summaries show as ***.
export class Masks {
  values = new Set();

  add(value) {
    this.values.add(value);
    for (const line of value.split(/[\r\n]+/)) if (line.trim() !== "") this.values.add(line.trim());
  }

  hide(text) {
    const hidden = new Uint8Array(text.length);
    for (const value of this.values) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
        hidden.fill(1, at, at + value.length);
    }
    let shown = "";
    for (let at = 0; at < text.length; at++) {
      if (!hidden[at]) shown += text[at];
      else if (at === 0 || !hidden[at - 1]) shown += "***";
    }
    return shown;
  }
}
