// Reading time: a press answers what a person has read. One that comes before was meant for what
// the page showed until then, such as the second press of a double click.

const READING_MS = 300; // choosing between two buttons takes longer

export class ReadingTime {
  // `onEnd` is called when the time is over: the page draws its buttons enabled.
  constructor(onEnd) {
    this.onEnd = onEnd;
    this.question = "";
    this.endedAt = Infinity;
  }

  // `question` identifies what the page asks now; empty if it asks nothing.
  ask(question) {
    if (question === this.question) return;
    this.question = question;
    this.endedAt = Infinity;
    clearTimeout(this.timer);
    if (question) this.timer = setTimeout(() => this.end(), READING_MS);
  }

  end() {
    this.endedAt = performance.now();
    this.onEnd();
  }

  get isOver() {
    return this.endedAt !== Infinity;
  }

  // A page that is busy handles a press late: what counts is when the key was pressed.
  isAnswer(event) {
    return event.timeStamp >= this.endedAt;
  }
}
