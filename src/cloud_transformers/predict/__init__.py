"""CLOUD -> ANSWER: numpy in, numpy out. A weight file is enough: it says itself what its input must look like."""
