"""Heads on frozen backbones, and Opacus seen by a hook."""

from types import SimpleNamespace

import pytest
import torch

from accounting.mechanism import Mechanism
from forgetproof.engine import EngineRefusal, UnlearningEngine
from forgetproof.torch import ForgettingHead, FrozenBackbone, OpacusRecorder
from tests.core.engine.examples import data, names, settings


class Encoder(torch.nn.Module):
    """In the shape of a transformer: tokens in, hidden states and a pooled one out."""

    def __init__(self, pooler):
        super().__init__()
        self.embedding = torch.nn.Embedding(11, 6)
        layer = torch.nn.TransformerEncoderLayer(6, 2, 8, dropout=0.5, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.pooler = torch.nn.Linear(6, 6) if pooler else None

    def forward(self, tokens):
        hidden = self.encoder(self.embedding(tokens))
        pooled = None if self.pooler is None else self.pooler(hidden[:, 0]).tanh()
        return SimpleNamespace(last_hidden_state=hidden, pooler_output=pooled)


def encoder(pooler=True):
    torch.manual_seed(0)
    return Encoder(pooler)


TOKENS = torch.arange(40 * 5).reshape(40, 5) % 11


@pytest.mark.parametrize("pooler", [True, False])
def test_features_are_of_each_row_alone(pooler):
    backbone = FrozenBackbone(encoder(pooler))
    features = backbone.features(TOKENS)
    assert features.shape == (40, 6)
    assert not features.requires_grad
    one_by_one = backbone.features(TOKENS, batch_size=1)
    assert torch.allclose(features, one_by_one, atol=1e-6)
    network = encoder(pooler).eval()(TOKENS)
    wanted = network.pooler_output if pooler else network.last_hidden_state[:, 0]
    assert torch.allclose(features, wanted, atol=1e-6)


def test_pooling_of_one_s_own():
    backbone = FrozenBackbone(encoder(), pooled=lambda out: out.last_hidden_state.mean(dim=1))
    assert backbone.features(TOKENS).shape == (40, 6)


def test_a_backbone_in_training_mode_or_with_other_weights_is_refused():
    backbone = FrozenBackbone(encoder())
    backbone.network.train()
    with pytest.raises(EngineRefusal, match="must be in eval mode"):
        backbone.features(TOKENS)
    backbone.network.eval()
    with torch.no_grad():
        backbone.network.pooler.weight[0, 0] += 1
    with pytest.raises(EngineRefusal, match="must have the weights of"):
        backbone.features(TOKENS)


def test_a_digest_is_of_all_weights_and_buffers():
    first, second = FrozenBackbone(encoder()), FrozenBackbone(encoder())
    assert first.digest == second.digest
    assert FrozenBackbone(encoder().bfloat16()).digest != first.digest
    norm = torch.nn.BatchNorm1d(3)
    before = FrozenBackbone(norm).digest
    norm.running_mean[0] = 1
    assert FrozenBackbone(norm).digest != before


def test_a_backbone_that_takes_the_statistics_of_a_batch_is_refused():
    network = torch.nn.Sequential(torch.nn.BatchNorm1d(3, track_running_stats=False))
    with pytest.raises(EngineRefusal, match="must map each row alone, got BatchNorm1d"):
        FrozenBackbone(network)
    with pytest.raises(EngineRefusal, match="pooled must be given"):
        FrozenBackbone(encoder(), pooled=None)._pooled(object())


def test_a_head_predicts_as_it_was_trained():
    head = ForgettingHead(3, 4, length=2.0, dtype=torch.float64)
    torch.nn.init.normal_(head.weight)
    features = data()[0] * 100
    rows = head.rows(features)
    assert rows.shape == (40, 4)
    assert torch.linalg.vector_norm(rows, dim=1).max() <= 1 + 1e-12
    assert torch.allclose(head(features), rows @ head.weight.T)
    with pytest.raises(EngineRefusal, match="features must have 3 numbers"):
        head.rows(rows)


def test_a_head_on_a_backbone_is_trained_forgets_and_is_released(tmp_path):
    backbone, head = FrozenBackbone(encoder()), ForgettingHead(6, 3, length=2.0)
    s = settings(outputs=3, features=backbone.digest)
    engine = UnlearningEngine.open(tmp_path, s)
    rows = head.rows(backbone.features(TOKENS))
    engine.load(head, rows, TOKENS[:, 0] % 3, names())
    engine.train()
    engine.forget(["u3"])
    engine.release()
    assert engine.ledger.events()[0]["settings"]["engine"]["features"] == backbone.digest
    assert head(backbone.features(TOKENS)).shape == (40, 3)


opacus = pytest.importorskip("opacus")


@pytest.mark.filterwarnings("ignore")
class TestRecorder:
    """Opacus, with an optimizer and a loader of its own."""

    def trained(self, epochs=2, poisson=True, **options):
        from torch.utils.data import DataLoader, TensorDataset

        torch.manual_seed(0)
        model = torch.nn.Linear(3, 1)
        sgd = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.01, **options)
        rows, targets = data(dtype=torch.float32)
        loader = DataLoader(TensorDataset(rows, targets[:, None]), batch_size=10, shuffle=True)
        engine = opacus.PrivacyEngine()
        model, optimizer, loader = engine.make_private(
            module=model,
            optimizer=sgd,
            data_loader=loader,
            noise_multiplier=1.5,
            max_grad_norm=0.5,
            poisson_sampling=poisson,
        )
        recorder = OpacusRecorder(optimizer, data_loader=loader, model=model)
        for epoch in range(epochs):
            for group in optimizer.param_groups:
                group["lr"] = 0.1 / (epoch + 1)
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
        return engine, recorder

    def test_every_step_is_recorded_and_the_accountant_still_counts(self):
        engine, recorder = self.trained()
        ((noise, rate, steps),) = engine.accountant.history
        assert len(recorder.steps) == steps == 8
        assert (noise, rate) == (1.5, 0.25)
        segments = recorder.mechanism()["steps"]
        assert [each["count"] for each in segments] == [4, 4]
        assert [each["step_size"] for each in segments] == [0.1, 0.05]

    def test_what_it_cannot_see_is_assumed_or_unknown(self):
        _, recorder = self.trained()
        document = recorder.mechanism([{"epsilon": 1.0, "delta": 1e-5}])
        mechanism = Mechanism.of_document(document)
        assert mechanism.document() == document
        segment = document["steps"][0]
        assert segment["batches"]["rate"]["origin"] == "assumed"
        assert segment["noise"] == {
            "deviation": 0.75,
            "on": "sum",
            "drawn": "unknown",
            "seed": "unknown",
        }
        assert (segment["divisor"]["value"]["value"], segment["divisor"]["is"]) == (10.0, "from_n")
        assert document["released"] == "unknown"
        assert document["n"] == 40

    def test_shuffled_batches_and_momentum_are_recorded_as_such(self):
        _, recorder = self.trained(poisson=False, momentum=0.9)
        segment = recorder.mechanism()["steps"][0]
        assert segment["batches"] == {"drawn": "shuffled", "size": 10}
        assert segment["momentum"] == 0.9

    def test_layers_that_mix_rows_are_named(self):
        _, recorder = self.trained()
        recorder._model = torch.nn.Sequential(torch.nn.BatchNorm1d(3))
        assert recorder.mechanism()["layers"] == ["BatchNorm1d"]

    def test_no_step_and_no_optimizer_of_opacus_are_refused(self):
        _, recorder = self.trained(epochs=0)
        with pytest.raises(ValueError, match="steps must be one or more"):
            recorder.mechanism()
        with pytest.raises(ValueError, match="must be a DPOptimizer"):
            OpacusRecorder(torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0))
