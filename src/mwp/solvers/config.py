"""The shape of a solver, whatever its backbone."""

from pydantic import BaseModel, ConfigDict, Field


class Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class BertConfig(Config):
    """`source` is a hub id or a folder; without one a small encoder with `layers` of `heads` has random weights.

    The encoder learns at `encoder_lr_scale` times the learning rate; its embeddings and lowest `freeze_layers` layers
    do not learn at all.
    """

    source: str | None = None
    layers: int = Field(2, ge=1)
    heads: int = Field(4, ge=1)
    freeze_layers: int = Field(0, ge=0)
    encoder_lr_scale: float = Field(0.1, gt=0)
    checkpointing: bool = False


class SolverConfig(Config):
    """`hidden` is the width of encoder and decoder, unless a pre-trained encoder brings its own."""

    embedding: int = Field(ge=1)
    hidden: int = Field(ge=1)
    dropout: float = Field(ge=0, lt=1)
    max_operators: int = Field(ge=0, le=40)
    min_count: int = Field(ge=1)
    bert: BertConfig = BertConfig()
